import { boolean, duration, integer, record, type SettingValues, string } from '@jig/application';

/** The section `database` of the configuration. */
export const databaseSettings = {
  url: string({
    default: undefined,
    environment: 'DATABASE_URL',
    secret: true,
    description: 'A database elsewhere: postgres://user:password@host/name',
  }),
  port: integer({
    default: 0,
    minimum: 0,
    maximum: 65_535,
    description: 'The port on the loopback address; 0 for any that is free.',
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
