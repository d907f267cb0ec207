import { boolean, choice, duration, integer, record, type SettingValues, string } from '@jig/application';

/** The section `database` of the configuration. */
export const databaseSettings = {
  engine: choice(['postgresql', 'mysql', 'mariadb'], {
    default: 'postgresql',
    description: 'The server to run; MySQL and MariaDB must be on the PATH.',
  }),
  url: string({
    default: undefined,
    environment: 'DATABASE_URL',
    secret: true,
    description: 'A database elsewhere: postgres://user:password@host/name or mysql://…',
  }),
  home: string({
    default: undefined,
    description: 'The folder of the server; otherwise `database` in the data folder.',
  }),
  port: integer({
    default: 0,
    minimum: 0,
    maximum: 65_535,
    description: 'A port on the loopback, for your tools; 0 for the socket only.',
  }),
  socketFolder: string({
    default: undefined,
    description: 'The folder for its socket; otherwise `run` in its home.',
  }),
  user: string({
    default: 'nobody',
    description: 'The user that the server runs as when the application is root.',
  }),
  persistent: boolean({ default: true, description: 'Whether the data is kept when the application stops.' }),
  serverSettings: record({
    default: {},
    description: 'Settings of the server, such as shared_buffers=64MB.',
  }),
  startTimeout: duration({
    default: 60_000,
    minimum: 1000,
    description: 'How long the server may take to start, recovery included.',
  }),
  probeInterval: duration({
    default: 5000,
    minimum: 100,
    description: 'How often the server is probed.',
  }),
  connectTimeout: duration({ default: 1500, minimum: 10, description: 'How long to wait for a connection.' }),
  poolSize: integer({
    default: 10,
    minimum: 1,
    maximum: 1000,
    description: 'The most connections of the bean `databasePool`.',
  }),
  queryTimeout: duration({
    default: 30_000,
    description: 'How long queries of `databasePool` may take; 0 for any time.',
  }),
  sessionPoolSize: integer({
    default: 10,
    minimum: 1,
    maximum: 1000,
    description: 'The most connections for sessions, in a pool of their own.',
  }),
  sessionQueryTimeout: duration({
    default: 1500,
    minimum: 10,
    description: 'How long a query for a session may take.',
  }),
} as const;

export type DatabaseSettings = SettingValues<typeof databaseSettings>;
