import { functionNames } from './shape.ts';
import { address, type Live, outOf, pool, view } from './view-table.ts';

const pgReads = {
  connections: outOf('_clients.length', 'options.max'),
  inUse: (live: Live) => live && live._clients.length - live._idle.length,
  idle: '_idle.length',
  waiting: '_pendingQueue.length',
};

const pgPool = view('pg.Pool', {
  has: '_clients _idle _pendingQueue options',
  reads: pool(pgReads),
  settings: {
    server: address('options'),
    database: 'options.database',
    idleTimeout: 'options.idleTimeoutMillis ms',
    connectTimeout: 'options.connectionTimeoutMillis ms',
  },
});

const mysqlReads = {
  connections: outOf('_allConnections.length', 'config.connectionLimit'),
  inUse: (live: Live) => live._allConnections.length - live._freeConnections.length,
  idle: '_freeConnections.length',
  waiting: '_connectionQueue.length',
};

/** The pool of tarn, which Knex uses. */
export const tarnReads = {
  connections: outOf((live: Live) => live.used.length + live.free.length, 'max'),
  inUse: 'used.length',
  idle: 'free.length',
  waiting: 'pendingAcquires.length',
};

const noTarn = { used: [], free: [], pendingAcquires: [], max: 0 };
const mongooseState = ({ readyState }: Live) =>
  ['disconnected', 'connected', 'connecting', 'disconnecting'][readyState] ?? 'uninitialized';
const modelNames = ({ models }: Live) => Object.keys(models).join(', ');
const classOf = (live: Live) => functionNames([live?.constructor]);

const sumOf = (name: string) => (live: Live) =>
  live.topology && [...live.topology.s.servers.values()].reduce((sum, each) => sum + each.pool[name], 0);

/** The target of the proxy that `new PrismaClient()` returns. */
export const prisma = view('PrismaClient', {
  has: '_runtimeDataModel _engineConfig _activeProvider',
  reads: { models: (live) => modelNames(live._runtimeDataModel) },
  settings: { provider: '_activeProvider', version: '_clientVersion' },
});

export const databases = [
  pgPool,
  view('pg.Client', {
    has: '_queryQueue _connected connectionParameters',
    reads: {
      state: (live) => (live._ended ? 'ended' : live._connected ? 'connected' : 'not connected'),
      queued: '_queryQueue.length',
    },
    settings: { server: address(), database: 'database', serverProcess: 'processID' },
  }),
  // Its connections are in a closure, so only settings can be read.
  view('postgres.Sql', {
    isFunction: true,
    can: 'unsafe begin listen reserve',
    has: 'options',
    settings: {
      server: ({ options }) => address()({ host: options.host[0], port: options.port[0] }),
      database: 'options.database',
      connections: 'options.max',
    },
  }),
  view('mysql2.Pool', {
    has: '_allConnections _freeConnections _connectionQueue config',
    reads: pool(mysqlReads),
    settings: { server: address('config.connectionConfig'), database: 'config.connectionConfig.database' },
  }),
  view('mysql2.PromisePool', {
    named: 'PromisePool',
    has: 'pool',
    can: 'getConnection execute',
    reads: pool(mysqlReads, (live) => live.pool),
    settings: { server: address('pool.config.connectionConfig'), database: 'pool.config.connectionConfig.database' },
  }),
  view('mariadb.Pool', {
    can: 'totalConnections activeConnections idleConnections taskQueueSize',
    reads: pool({
      connections: (live) => live.totalConnections(),
      inUse: (live) => live.activeConnections(),
      idle: (live) => live.idleConnections(),
      waiting: (live) => live.taskQueueSize(),
    }),
  }),
  view('better-sqlite3.Database', {
    has: 'inTransaction memory readonly',
    can: 'prepare pragma',
    reads: { state: ({ open }) => (open ? 'open' : 'closed'), inTransaction: 'inTransaction' },
    settings: { file: 'name', readOnly: 'readonly' },
  }),
  view('knex.Knex', {
    isFunction: true,
    has: 'client',
    can: 'raw transaction queryBuilder',
    reads: pool(tarnReads, ({ client }) => client.pool ?? noTarn),
    settings: {
      engine: 'client.config.client',
      server: address('client.connectionSettings'),
      database: 'client.connectionSettings.database',
    },
  }),
  view('sequelize.Sequelize', {
    has: 'connectionManager modelManager queryInterface',
    reads: {
      ...pool(
        { connections: 'size', inUse: 'using', idle: 'available', waiting: 'waiting' },
        (live) => live.connectionManager.pool,
      ),
      models: modelNames,
    },
    settings: { engine: 'options.dialect', server: address('config'), database: 'config.database' },
  }),
  // Its driver has a pool of `pg` if the database is PostgreSQL.
  view('typeorm.DataSource', {
    has: 'isInitialized entityMetadatas driver',
    reads: {
      state: ({ isInitialized }) => (isInitialized ? 'initialized' : 'not initialized'),
      ...pool(pgReads, ({ driver }) => (driver.master && pgPool.matches(driver.master) ? driver.master : undefined)),
      entities: ({ entityMetadatas }) => entityMetadatas.map(({ name, tableName }: Live) => ({ name, tableName })),
    },
    settings: { engine: 'options.type', database: 'driver.database' },
  }),
  view('mongoose.Connection', {
    has: '_readyState readyState models collections',
    reads: { state: mongooseState, queued: '_queue.length', models: modelNames },
    settings: { server: address(), database: 'name' },
  }),
  view('mongoose.Model', {
    isFunction: true,
    has: 'modelName schema $__collection',
    reads: {
      paths: ({ schema }) =>
        Object.entries(schema.paths).map(([path, { instance }]: Live) => ({ path, type: instance })),
    },
    settings: { model: 'modelName', collection: 'collection.name' },
  }),
  view('mongoose.Mongoose', {
    has: 'connections models version SchemaTypes',
    reads: {
      connections: ({ connections }) =>
        connections.map((each: Live) => ({
          state: mongooseState(each),
          server: each.host ?? '',
          database: each.name ?? '',
        })),
      models: modelNames,
    },
    settings: { version: 'version' },
  }),
  // Its driver and its pool are in private fields.
  view('kysely.Kysely', {
    can: 'getExecutor selectFrom withPlugin',
    has: 'schema',
    settings: {
      dialect: (live) => classOf(live.getExecutor().adapter).replace(/Adapter$/, ''),
      plugins: (live) => live.getExecutor().plugins.map(classOf).join(', '),
    },
  }),
  prisma,
  view('drizzle.Database', {
    has: 'dialect session $client _',
    can: 'select insert',
    reads: { tables: ({ _ }) => Object.keys(_.fullSchema ?? {}).join(', ') || undefined },
    settings: { dialect: ({ dialect }) => classOf(dialect), client: ({ $client }) => $client && classOf($client) },
  }),
  view('mongodb.MongoClient', {
    named: 'MongoClient',
    has: 'options',
    can: 'db startSession',
    reads: {
      state: ({ topology }) => topology?.s.state ?? 'not connected',
      ...pool({
        connections: sumOf('totalConnectionCount'),
        inUse: sumOf('currentCheckedOutCount'),
        waiting: sumOf('waitQueueSize'),
      }),
      pools: ({ topology }) =>
        topology &&
        [...topology.s.servers].map(([server, each]: Live) => ({
          server,
          connections: each.pool.totalConnectionCount,
          inUse: each.pool.currentCheckedOutCount,
          waiting: each.pool.waitQueueSize,
        })),
    },
    settings: {
      servers: ({ options }) => options.hosts.map(String).join(', '),
      database: 'options.dbName',
      poolSize: 'options.maxPoolSize',
    },
  }),
];
