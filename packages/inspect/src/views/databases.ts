import { poolMetrics } from './metrics.ts';
import { can, endpoint, functionNames, has, isNamed } from './shape.ts';
import { type Reading, setting, type View, type With } from './view.ts';

type List = readonly unknown[];

type PgPool = With<'_clients' | '_idle' | '_pendingQueue', List> & With<'options', With<string>>;

const inUseOf = ({ _clients, _idle }: PgPool) => _clients.length - _idle.length;

export const pgPool: View<PgPool> = {
  name: 'pg.Pool',
  matches: (value): value is PgPool => has(value, '_clients', '_idle', '_pendingQueue', 'options'),
  readings: {
    connections: {
      read: ({ _clients }) => _clients.length,
      of: ({ options }) => options.max,
      ...poolMetrics.connections,
    },
    inUse: { read: inUseOf, ...poolMetrics.inUse },
    idle: { read: ({ _idle }) => _idle.length, ...poolMetrics.idle },
    waiting: { read: ({ _pendingQueue }) => _pendingQueue.length, ...poolMetrics.waiting },
    server: setting(({ options }) => endpoint(options.host, options.port)),
    database: setting(({ options }) => options.database),
    idleTimeout: setting(({ options }) => options.idleTimeoutMillis, 'ms'),
    connectTimeout: setting(({ options }) => options.connectionTimeoutMillis, 'ms'),
  },
};

type PgClient = With<'_connected' | '_ended' | 'host' | 'port' | 'database' | 'processID'> & With<'_queryQueue', List>;

export const pgClient: View<PgClient> = {
  name: 'pg.Client',
  matches: (value): value is PgClient => has(value, '_queryQueue', '_connected', 'connectionParameters'),
  readings: {
    state: { read: ({ _ended, _connected }) => (_ended ? 'ended' : _connected ? 'connected' : 'not connected') },
    queued: { read: ({ _queryQueue }) => _queryQueue.length },
    server: setting(({ host, port }) => endpoint(host, port)),
    database: setting(({ database }) => database),
    serverProcess: setting(({ processID }) => processID),
  },
};

interface PostgresJs {
  readonly options: { readonly host: List; readonly port: List; readonly database: string; readonly max: number };
}

/** Its connections are in a closure, so only settings can be told. */
export const postgresJs: View<PostgresJs> = {
  name: 'postgres.Sql',
  matches: (value): value is PostgresJs =>
    typeof value === 'function' && can(value, 'unsafe', 'begin', 'listen', 'reserve') && has(value, 'options'),
  readings: {
    server: setting(({ options }) => endpoint(options.host[0], options.port[0])),
    database: setting(({ options }) => options.database),
    connections: setting(({ options }) => options.max),
  },
};

type MysqlPool = With<'_allConnections' | '_freeConnections' | '_connectionQueue', List> & {
  readonly config: With<'connectionLimit'> & With<'connectionConfig', With<string>>;
};

const mysqlReadings = {
  connections: {
    read: (pool: MysqlPool) => pool._allConnections.length,
    of: (pool: MysqlPool) => pool.config.connectionLimit,
    ...poolMetrics.connections,
  },
  inUse: {
    read: (pool: MysqlPool) => pool._allConnections.length - pool._freeConnections.length,
    ...poolMetrics.inUse,
  },
  idle: { read: (pool: MysqlPool) => pool._freeConnections.length, ...poolMetrics.idle },
  waiting: { read: (pool: MysqlPool) => pool._connectionQueue.length, ...poolMetrics.waiting },
  server: setting(({ config }: MysqlPool) => endpoint(config.connectionConfig.host, config.connectionConfig.port)),
  database: setting(({ config }: MysqlPool) => config.connectionConfig.database),
} satisfies Record<string, Reading<MysqlPool>>;

const isMysqlPool = (value: object): value is MysqlPool =>
  has(value, '_allConnections', '_freeConnections', '_connectionQueue', 'config');

export const mysqlPool: View<MysqlPool> = { name: 'mysql2.Pool', matches: isMysqlPool, readings: mysqlReadings };

type MysqlPromisePool = With<'pool', MysqlPool>;

/** The same readings of an object that is inside another. */
function readingsOf<Outer extends object, Inner extends object>(
  readings: Readonly<Record<string, Reading<Inner>>>,
  inner: (outer: Outer) => Inner,
): Record<string, Reading<Outer>> {
  return Object.fromEntries(
    Object.entries(readings).map(([name, reading]) => [
      name,
      { ...reading, read: (outer) => reading.read(inner(outer)), of: (outer) => reading.of?.(inner(outer)) },
    ]),
  );
}

export const mysqlPromisePool: View<MysqlPromisePool> = {
  name: 'mysql2.PromisePool',
  matches: (value): value is MysqlPromisePool =>
    isNamed(value, 'PromisePool') && has(value, 'pool') && can(value, 'getConnection', 'execute'),
  readings: readingsOf(mysqlReadings, ({ pool }: MysqlPromisePool) => pool),
};

type MariadbPool = With<'totalConnections' | 'activeConnections' | 'idleConnections' | 'taskQueueSize', () => number>;

export const mariadbPool: View<MariadbPool> = {
  name: 'mariadb.Pool',
  matches: (value): value is MariadbPool =>
    can(value, 'totalConnections', 'activeConnections', 'idleConnections', 'taskQueueSize'),
  readings: {
    connections: { read: (pool) => pool.totalConnections() },
    inUse: { read: (pool) => pool.activeConnections(), ...poolMetrics.inUse },
    idle: { read: (pool) => pool.idleConnections(), ...poolMetrics.idle },
    waiting: { read: (pool) => pool.taskQueueSize(), ...poolMetrics.waiting },
  },
};

type Sqlite = With<'name' | 'open' | 'inTransaction' | 'readonly'>;

export const betterSqlite: View<Sqlite> = {
  name: 'better-sqlite3.Database',
  matches: (value): value is Sqlite =>
    has(value, 'inTransaction', 'memory', 'readonly') && can(value, 'prepare', 'pragma'),
  readings: {
    state: { read: ({ open }) => (open ? 'open' : 'closed') },
    inTransaction: { read: ({ inTransaction }) => inTransaction },
    file: setting(({ name }) => name),
    readOnly: setting(({ readonly }) => readonly),
  },
};

/** The pool of tarn, which Knex uses. */
export type TarnPool = With<'used' | 'free' | 'pendingAcquires' | 'pendingCreates', List> & With<'max'>;

export const tarnReadings = {
  resources: {
    read: ({ used, free }: TarnPool) => used.length + free.length,
    of: ({ max }: TarnPool) => max,
    ...poolMetrics.connections,
  },
  inUse: { read: ({ used }: TarnPool) => used.length, ...poolMetrics.inUse },
  idle: { read: ({ free }: TarnPool) => free.length, ...poolMetrics.idle },
  waiting: { read: ({ pendingAcquires }: TarnPool) => pendingAcquires.length, ...poolMetrics.waiting },
} satisfies Record<string, Reading<TarnPool>>;

interface Knex {
  readonly client: {
    readonly pool?: TarnPool;
    readonly config: { readonly client?: unknown };
    readonly connectionSettings?: With<string>;
  };
}

const noPool: TarnPool = { used: [], free: [], pendingAcquires: [], pendingCreates: [], max: 0 };

export const knex: View<Knex> = {
  name: 'knex.Knex',
  matches: (value): value is Knex =>
    typeof value === 'function' && has(value, 'client') && can(value, 'raw', 'transaction', 'queryBuilder'),
  readings: {
    ...readingsOf(tarnReadings, ({ client }: Knex) => client.pool ?? noPool),
    engine: setting(({ client }) => client.config.client),
    server: setting(({ client }) => endpoint(client.connectionSettings?.host, client.connectionSettings?.port)),
    database: setting(({ client }) => client.connectionSettings?.database),
  },
};

interface Sequelize {
  readonly models: object;
  readonly options: { readonly dialect?: unknown };
  readonly config: With<string>;
  readonly connectionManager: { readonly pool?: With<'size' | 'available' | 'using' | 'waiting'> };
}

export const sequelize: View<Sequelize> = {
  name: 'sequelize.Sequelize',
  matches: (value): value is Sequelize => has(value, 'connectionManager', 'modelManager', 'queryInterface'),
  readings: {
    connections: { read: ({ connectionManager }) => connectionManager.pool?.size },
    inUse: { read: ({ connectionManager }) => connectionManager.pool?.using, ...poolMetrics.inUse },
    idle: { read: ({ connectionManager }) => connectionManager.pool?.available, ...poolMetrics.idle },
    waiting: { read: ({ connectionManager }) => connectionManager.pool?.waiting, ...poolMetrics.waiting },
    models: { read: ({ models }) => Object.keys(models).join(', ') },
    engine: setting(({ options }) => options.dialect),
    server: setting(({ config }) => endpoint(config.host, config.port)),
    database: setting(({ config }) => config.database),
  },
};

interface DataSource {
  readonly isInitialized: boolean;
  readonly entityMetadatas: readonly { readonly name: string; readonly tableName: string }[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly driver: { readonly master?: object; readonly database?: unknown };
}

/** TypeORM holds the pool of the driver's own library, if there is one. */
const ofPgPool = ({ driver }: DataSource, read: (pool: PgPool) => number): number | undefined =>
  driver.master !== undefined && pgPool.matches(driver.master) ? read(driver.master) : undefined;

export const typeormDataSource: View<DataSource> = {
  name: 'typeorm.DataSource',
  matches: (value): value is DataSource => has(value, 'isInitialized', 'entityMetadatas', 'driver'),
  readings: {
    state: { read: ({ isInitialized }) => (isInitialized ? 'initialized' : 'not initialized') },
    connections: { read: (source) => ofPgPool(source, ({ _clients }) => _clients.length) },
    inUse: { read: (source) => ofPgPool(source, inUseOf), ...poolMetrics.inUse },
    idle: { read: (source) => ofPgPool(source, ({ _idle }) => _idle.length), ...poolMetrics.idle },
    waiting: {
      read: (source) => ofPgPool(source, ({ _pendingQueue }) => _pendingQueue.length),
      ...poolMetrics.waiting,
    },
    entities: { read: ({ entityMetadatas }) => entityMetadatas.map(({ name, tableName }) => ({ name, tableName })) },
    engine: setting(({ options }) => options.type),
    database: setting(({ driver }) => driver.database),
  },
};

const mongooseStates = ['disconnected', 'connected', 'connecting', 'disconnecting'];

interface MongooseConnection {
  readonly readyState: number;
  readonly host?: string;
  readonly port?: number;
  readonly name?: string;
  readonly models: object;
  readonly _queue: List;
}

export const mongooseConnection: View<MongooseConnection> = {
  name: 'mongoose.Connection',
  matches: (value): value is MongooseConnection => has(value, '_readyState', 'readyState', 'models', 'collections'),
  readings: {
    state: { read: ({ readyState }) => mongooseStates[readyState] ?? 'uninitialized' },
    queued: { read: ({ _queue }) => _queue.length },
    models: { read: ({ models }) => Object.keys(models).join(', ') },
    server: setting(({ host, port }) => endpoint(host, port)),
    database: setting(({ name }) => name),
  },
};

interface MongooseModel {
  readonly modelName: string;
  readonly collection: { readonly name: string };
  readonly schema: { readonly paths: Readonly<Record<string, { readonly instance: string }>> };
}

export const mongooseModel: View<MongooseModel> = {
  name: 'mongoose.Model',
  matches: (value): value is MongooseModel =>
    typeof value === 'function' && has(value, 'modelName', 'schema', '$__collection'),
  readings: {
    model: setting(({ modelName }) => modelName),
    collection: setting(({ collection }) => collection.name),
    paths: {
      read: ({ schema }) => Object.entries(schema.paths).map(([path, { instance }]) => ({ path, type: instance })),
    },
  },
};

interface Mongoose {
  readonly connections: readonly MongooseConnection[];
  readonly models: object;
  readonly version: string;
}

export const mongoose: View<Mongoose> = {
  name: 'mongoose.Mongoose',
  matches: (value): value is Mongoose => has(value, 'connections', 'models', 'version', 'SchemaTypes'),
  readings: {
    connections: {
      read: ({ connections }) =>
        connections.map(({ readyState, host, name }) => ({
          state: mongooseStates[readyState] ?? 'uninitialized',
          server: host ?? '',
          database: name ?? '',
        })),
    },
    models: { read: ({ models }) => Object.keys(models).join(', ') },
    version: setting(({ version }) => version),
  },
};

interface Kysely {
  getExecutor(): { readonly adapter: object; readonly plugins: List };
}

/** Its driver and its pool are in private fields. */
export const kysely: View<Kysely> = {
  name: 'kysely.Kysely',
  matches: (value): value is Kysely => can(value, 'getExecutor', 'selectFrom', 'withPlugin') && has(value, 'schema'),
  readings: {
    dialect: setting((database) => functionNames([database.getExecutor().adapter.constructor]).replace(/Adapter$/, '')),
    plugins: setting((database) => functionNames(database.getExecutor().plugins.map((each) => each?.constructor))),
  },
};

type Prisma = With<'_activeProvider' | '_clientVersion'> & With<'_runtimeDataModel', With<'models', object>>;

/** What is behind the proxy that users have. */
export const prisma: View<Prisma> = {
  name: 'PrismaClient',
  matches: (value): value is Prisma => has(value, '_runtimeDataModel', '_engineConfig', '_activeProvider'),
  readings: {
    models: { read: ({ _runtimeDataModel }) => Object.keys(_runtimeDataModel.models).join(', ') },
    provider: setting(({ _activeProvider }) => _activeProvider),
    version: setting(({ _clientVersion }) => _clientVersion),
  },
};

interface Drizzle {
  readonly dialect: object;
  readonly $client?: object;
  readonly _: { readonly fullSchema?: object };
}

export const drizzle: View<Drizzle> = {
  name: 'drizzle.Database',
  matches: (value): value is Drizzle =>
    has(value, 'dialect', 'session', '$client', '_') && can(value, 'select', 'insert'),
  readings: {
    dialect: setting(({ dialect }) => functionNames([dialect.constructor])),
    client: setting(({ $client }) => ($client === undefined ? undefined : functionNames([$client.constructor]))),
    tables: { read: ({ _ }) => Object.keys(_.fullSchema ?? {}).join(', ') || undefined },
  },
};

type MongoPool = With<'totalConnectionCount' | 'currentCheckedOutCount' | 'waitQueueSize', number>;

interface MongoClient {
  readonly options: { readonly hosts: List; readonly dbName?: string; readonly maxPoolSize?: number };
  /** Undefined before it is connected for the first time. */
  readonly topology?: {
    readonly s: { readonly state: string; readonly servers: ReadonlyMap<string, { readonly pool: MongoPool }> };
  };
}

const mongoPools = ({ topology }: MongoClient) => [...(topology?.s.servers ?? [])];
const sumOf = (client: MongoClient, name: keyof MongoPool) =>
  mongoPools(client).reduce((sum, [, { pool }]) => sum + pool[name], 0);

export const mongoClient: View<MongoClient> = {
  name: 'mongodb.MongoClient',
  matches: (value): value is MongoClient =>
    isNamed(value, 'MongoClient') && has(value, 'options') && can(value, 'db', 'startSession'),
  readings: {
    state: { read: ({ topology }) => topology?.s.state ?? 'not connected' },
    connections: { read: (client) => sumOf(client, 'totalConnectionCount') },
    inUse: { read: (client) => sumOf(client, 'currentCheckedOutCount'), ...poolMetrics.inUse },
    waiting: { read: (client) => sumOf(client, 'waitQueueSize'), ...poolMetrics.waiting },
    pools: {
      read: (client) =>
        mongoPools(client).map(([server, { pool }]) => ({
          server,
          connections: pool.totalConnectionCount,
          inUse: pool.currentCheckedOutCount,
          waiting: pool.waitQueueSize,
        })),
    },
    servers: setting(({ options }) => options.hosts.map(String).join(', ')),
    database: setting(({ options }) => options.dbName),
    poolSize: setting(({ options }) => options.maxPoolSize),
  },
};
