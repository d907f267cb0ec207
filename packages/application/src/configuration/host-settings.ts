import { sessionSettings } from '../sessions/session-settings.ts';
import { choice, duration, flag, integer, list, text } from './setting.ts';

/** The settings of the host itself; features and add-ons bring sections of their own. */
export const hostSettings = {
  application: {
    home: text({
      default: '.jig',
      environment: 'JIG_HOME',
      flag: 'home',
      description: 'The data folder: database, secret, logs. Nothing is written elsewhere.',
    }),
    environment: text({
      default: 'development',
      environment: 'NODE_ENV',
      description: 'What the application runs for; `production` switches off what is meant for development.',
    }),
    startTimeout: duration({
      default: 60_000,
      minimum: 1,
      description: 'How long one bean may take to start.',
    }),
    stopTimeout: duration({
      default: 10_000,
      minimum: 1,
      description: 'How long the whole application may take to stop before it is ended by force.',
    }),
  },
  server: {
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
  },
  log: {
    level: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      default: 'info',
      description: 'The least important messages to log.',
    }),
    format: choice(['auto', 'pretty', 'json'], {
      default: 'auto',
      description: 'How to log; `auto` is pretty on a terminal and JSON lines otherwise.',
    }),
  },
  sessions: sessionSettings,
  addOns: {
    exclude: list({ default: [], description: 'Add-ons to leave out, by package name.' }),
  },
  beans: {
    exclude: list({ default: [], description: 'Beans to leave out, by name; routes that need them are left out too.' }),
  },
} as const;
