import { duration, flag, integer, type SettingValues, text } from '../configuration/setting.ts';

export const serverSettings = {
  host: text({ default: '127.0.0.1', environment: 'HOST', flag: 'host', description: 'The address to listen on.' }),
  port: integer({
    default: 8080,
    minimum: 0,
    maximum: 65_535,
    environment: 'PORT',
    flag: 'port',
    description: 'The port to listen on; 0 takes any free one.',
  }),
  headersTimeout: duration({
    default: 10_000,
    minimum: 100,
    description: 'How long a client may take to send its headers.',
  }),
  requestTimeout: duration({
    default: 30_000,
    minimum: 100,
    description: 'How long a client may take to send a whole request.',
  }),
  idleTimeout: duration({ default: 30_000, minimum: 100, description: 'How long an idle connection is kept open.' }),
  responseTimeout: duration({
    default: 0,
    description:
      'How long a handler may send nothing, `0ms` for any time; then the client gets 503, or is cut off in the middle of an answer, and the log says so.',
  }),
  bodyLimit: integer({
    default: 16_384,
    minimum: 1024,
    maximum: 104_857_600,
    description: 'The largest request body, in bytes.',
  }),
  headersLimit: integer({
    default: 16_384,
    minimum: 4096,
    maximum: 1_048_576,
    description: 'The largest request head, in bytes.',
  }),
  trustProxy: flag({
    default: false,
    description:
      'Whether a balancer in front says, in `X-Forwarded-…`, who the client is and whether it came by HTTPS.',
  }),
} as const;

export type ServerSettings = SettingValues<typeof serverSettings>;
