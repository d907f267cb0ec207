import { boolean, choice, duration, integer, record, type SettingValues, string } from '@jig/application';

/** The section `database` of the configuration. */
export const databaseSettings = {
  engine: choice(['postgresql', 'mysql', 'mariadb'], {
    default: 'postgresql',
    description: 'The database server to run: PostgreSQL comes along, MySQL and MariaDB are looked for on the PATH.',
  }),
  url: string({
    default: undefined,
    environment: 'DATABASE_URL',
    secret: true,
    description: 'A database elsewhere, as postgres://user:password@host/name or mysql://…; then no server is started.',
  }),
  home: string({
    default: undefined,
    description:
      'The folder for the data, password, socket and log of the server; `database` in the data folder otherwise.',
  }),
  port: integer({
    default: 0,
    minimum: 0,
    maximum: 65_535,
    description: 'A port on the loopback address, for tools of your own; 0 for the socket only.',
  }),
  socketFolder: string({
    default: undefined,
    description: 'The folder for the socket of the server; `run` in its home otherwise.',
  }),
  user: string({
    default: 'nobody',
    description: 'As whom the server runs when the application runs as root, which servers refuse.',
  }),
  persistent: boolean({ default: true, description: 'Whether the data is kept when the application stops.' }),
  serverSettings: record({
    default: {},
    description: 'Settings of the server by its own names, such as shared_buffers=64MB.',
  }),
  startTimeout: duration({
    default: 60_000,
    minimum: 1000,
    description: 'How long the server may take to be ready, recovery after a crash included.',
  }),
  probeInterval: duration({
    default: 5000,
    minimum: 100,
    description: 'How often the server is asked whether it still answers.',
  }),
  connectTimeout: duration({ default: 1500, minimum: 10, description: 'How long to wait for a connection.' }),
  poolSize: integer({
    default: 10,
    minimum: 1,
    maximum: 1000,
    description: 'The most connections at once for your own queries, those of the bean `databasePool`.',
  }),
  queryTimeout: duration({
    default: 30_000,
    description: 'How long your own queries may take, those of the bean `databasePool`; 0 for any time.',
  }),
  sessionPoolSize: integer({
    default: 10,
    minimum: 1,
    maximum: 1000,
    description: 'The most connections at once for sessions, which have a pool of their own.',
  }),
  sessionQueryTimeout: duration({
    default: 1500,
    minimum: 10,
    description: 'How long a query for a session may take.',
  }),
} as const;

export type DatabaseSettings = SettingValues<typeof databaseSettings>;
