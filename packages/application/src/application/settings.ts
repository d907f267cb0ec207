import { boolean, choice, duration, list, string } from '../configuration/setting.ts';
import { serverSettings } from '../http/server.ts';
import { sessionSettings } from './session-settings.ts';

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
      description: 'How long one bean may take to stop; requests in flight have half of it, all together twice.',
    }),
  },
  server: serverSettings,
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
  sessions: sessionSettings,
  addOns: {
    exclude: list({ default: [], description: 'Add-ons to leave out, by package name.' }),
  },
} as const;
