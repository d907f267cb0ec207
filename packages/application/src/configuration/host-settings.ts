import {
  boolean,
  choice,
  duration,
  integer,
  list,
  parseBoolean,
  type SettingValues,
  setting,
  string,
} from './setting.ts';

const shortestSecret = 32;
const isStrong = (secret: string) => secret.length >= shortestSecret;

/** The settings of the host; features and add-ons have sections of their own. */
export const hostSettings = {
  application: {
    home: string({
      default: '.jig',
      environment: 'JIG_HOME',
      flag: 'home',
      description: 'The data folder: database, secret, logs.',
    }),
    environment: string({
      default: 'development',
      environment: 'NODE_ENV',
      description: '`production`, in any case, switches off what is for development.',
    }),
    startTimeout: duration({
      default: 60_000,
      minimum: 1,
      description: 'How long one bean may take to start, or one part to register.',
    }),
    drainDelay: duration({
      default: 0,
      description: 'How long `/health` answers 503 before the server stops listening.',
    }),
    stopTimeout: duration({
      default: 10_000,
      minimum: 1,
      description:
        'How long one bean may take to stop. Requests in flight may take half of this time, the whole stop twice this time after `drainDelay`.',
    }),
  },
  server: {
    host: string({ default: '127.0.0.1', environment: 'HOST', flag: 'host', description: 'The address to listen on.' }),
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
      description: 'How long a handler may take (`0ms`: any time); then the client gets 503.',
    }),
    bodyLimit: integer({
      default: 1_048_576,
      minimum: 1024,
      maximum: 104_857_600,
      description: 'The largest request body in bytes; a route may have its own limit.',
    }),
    headersLimit: integer({
      default: 16_384,
      minimum: 4096,
      maximum: 1_048_576,
      description: 'The largest request head in bytes.',
    }),
    trustProxy: {
      ...setting<boolean | string>(
        {
          default: false,
          description: 'The senders of `X-Forwarded-…` to believe: everybody, nobody, or these proxies.',
        },
        'true, false, or a list of addresses and subnets such as 10.0.0.0/8',
        // Fastify checks the addresses.
        (value) => (Array.isArray(value) ? value.join() : (parseBoolean(value) ?? String(value))),
      ),
      bareFlag: 'true',
    },
    requestIdHeader: string({
      default: undefined,
      description: 'The header with the ID of a request, such as `x-request-id`.',
      validate: (name) => (/^[\w-]+$/.test(name) ? undefined : 'the name of a header'),
    }),
  },
  log: {
    level: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      default: 'info',
      description: 'The least important messages to log.',
    }),
    format: choice(['auto', 'pretty', 'json'], {
      default: 'auto',
      description: '`auto` is pretty on a terminal and JSON lines otherwise.',
    }),
    requests: boolean({
      default: false,
      description: 'Logs each request: method, URL, client, status, time.',
    }),
  },
  sessions: {
    store: string({
      default: 'auto',
      description: '`memory`, a store of an add-on, or `auto` for the best one.',
    }),
    timeToLive: duration({
      default: 30 * 60_000,
      minimum: 1000,
      description: 'How long a session lives after its last request.',
    }),
    storeDeadline: duration({
      default: 1500,
      minimum: 10,
      maximum: 30_000,
      description: 'How long a request waits for the session store.',
    }),
    maximumInMemory: integer({
      default: 50_000,
      minimum: 1,
      maximum: 10_000_000,
      description: 'How many sessions the memory store holds.',
    }),
    maximumMemory: integer({
      default: 32,
      minimum: 1,
      maximum: 4096,
      description: 'How many MiB the memory store takes.',
    }),
    cookieName: string({
      default: 'jig-session',
      description: 'The name of the cookie; over HTTPS with `__Host-` before it.',
      validate: (name) => (/^[\w-]{1,64}$/.test(name) ? undefined : 'a name of letters, digits, - and _'),
    }),
    secret: string({
      default: undefined,
      secret: true,
      description: 'Signs session cookies; otherwise one is made and kept in the data folder.',
      validate: (secret) => (isStrong(secret) ? undefined : `a text of at least ${shortestSecret} characters`),
    }),
    previousSecrets: list({
      default: [],
      secret: true,
      description: 'Secrets that are accepted, but sign no cookies.',
      validate: (all) =>
        all.every(isStrong) ? undefined : `a list of texts of at least ${shortestSecret} characters each`,
    }),
  },
  addOns: {
    exclude: list({ default: [], description: 'Add-ons to leave out, by package name.' }),
  },
} as const;

export type ServerSettings = SettingValues<typeof hostSettings.server>;
export type SessionSettings = SettingValues<typeof hostSettings.sessions>;
