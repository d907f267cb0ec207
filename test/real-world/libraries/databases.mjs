import { once } from 'node:events';
import { createServer } from 'node:net';

/** Says yes to every command, as much of MongoDB as a client needs to be connected (OP_QUERY and OP_MSG). */
function answerAsMongo(socket, BSON) {
  const body = BSON.serialize({ ok: 1, isWritablePrimary: true, maxWireVersion: 25, minWireVersion: 0, done: true });
  let received = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 16 && received.length >= received.readInt32LE(0)) {
      const isQuery = received.readInt32LE(12) === 2004;
      const head = Buffer.alloc(isQuery ? 36 : 21);
      head.writeInt32LE(head.length + body.length, 0);
      head.writeInt32LE(received.readInt32LE(4), 8);
      head.writeInt32LE(isQuery ? 1 : 2013, 12);
      if (isQuery) head.writeInt32LE(1, 32);
      socket.write(Buffer.concat([head, body]));
      received = received.subarray(received.readInt32LE(0));
    }
  });
}

/** Clients of databases; the port 1 is one that nobody answers at. */
export const databases = {
  'pg.Pool': {
    package: 'pg',
    line: '3 of 7 connections, 1 in use, 2 idle, 0 waiting',
    async make({ postgres }) {
      const { default: pg } = await import('pg');
      const pool = new pg.Pool({ connectionString: postgres.url, max: 7 });
      await Promise.all([pool.query('SELECT 1'), pool.query('SELECT 2'), pool.query('SELECT 3')]);
      pool.taken = await pool.connect();
      return pool;
    },
    async end(pool) {
      pool.taken.release();
      await pool.end();
    },
  },
  'pg.Client': {
    package: 'pg',
    line: 'connected, 0 queued',
    async make({ postgres }) {
      const { default: pg } = await import('pg');
      const client = new pg.Client(postgres.url);
      await client.connect();
      return client;
    },
    end: (client) => client.end(),
  },
  'postgres()': {
    package: 'postgres',
    line: /^server 127\.0\.0\.1:\d+, database jig, connections 4$/,
    async make({ postgres: { url } }) {
      const { default: postgres } = await import('postgres');
      const sql = postgres(url, { max: 4 });
      await sql`SELECT 1`;
      return sql;
    },
    end: (sql) => sql.end(),
  },
  'mysql2 Pool': {
    package: 'mysql2',
    line: '0 of 10 connections, 0 in use, 0 idle, 0 waiting',
    async make() {
      const { default: mysql } = await import('mysql2');
      return mysql.createPool({ host: '127.0.0.1', port: 1, user: 'shop', password: 'mysqlHunter2pw', database: 'x' });
    },
    end: (pool) => pool.end(),
  },
  'mysql2/promise Pool': {
    package: 'mysql2',
    line: '0 of 10 connections, 0 in use, 0 idle, 0 waiting',
    async make() {
      const { default: mysql } = await import('mysql2/promise');
      return mysql.createPool('mysql://shop:mysqlHunter2pw@127.0.0.1:1/x');
    },
    end: (pool) => pool.end(),
  },
  'mariadb Pool': {
    package: 'mariadb',
    line: '0 connections, 0 in use, 0 idle, 0 waiting',
    async make() {
      const { default: mariadb } = await import('mariadb');
      const options = { host: '127.0.0.1', port: 1, user: 'shop', password: 'mariaHunter2pw', connectionLimit: 5 };
      return mariadb.createPool({ ...options, minimumIdle: 0 });
    },
    end: (pool) => pool.end(),
  },
  knex: {
    package: 'knex',
    line: '1 of 10 connections, 0 in use, 1 idle, 0 waiting',
    async make({ postgres }) {
      const { default: knex } = await import('knex');
      const database = knex({ client: 'pg', connection: postgres.url });
      await database.raw('SELECT 1');
      return database;
    },
    end: (database) => database.destroy(),
  },
  Sequelize: {
    package: 'sequelize',
    line: '1 connection, 0 in use, 1 idle, 0 waiting',
    async make({ postgres }) {
      const { Sequelize, DataTypes } = await import('sequelize');
      const sequelize = new Sequelize(postgres.url, { logging: false });
      sequelize.define('User', { name: DataTypes.STRING });
      await sequelize.sync();
      return sequelize;
    },
    end: (sequelize) => sequelize.close(),
  },
  'typeorm DataSource': {
    package: 'typeorm',
    line: 'initialized, 1 of 10 connections, 0 in use, 1 idle',
    async make({ postgres }) {
      const { DataSource, EntitySchema } = await import('typeorm');
      const id = { type: Number, primary: true, generated: true };
      const order = new EntitySchema({ name: 'Order', columns: { id, what: { type: String } } });
      const source = new DataSource({ type: 'postgres', url: postgres.url, entities: [order], synchronize: true });
      return await source.initialize();
    },
    end: (source) => source.destroy(),
  },
  'mongoose.Connection': {
    package: 'mongoose',
    line: 'disconnected, 0 queued',
    async make() {
      const { default: mongoose } = await import('mongoose');
      return mongoose.connection;
    },
  },
  'mongoose Model': {
    package: 'mongoose',
    line: '5 paths',
    async make() {
      const { default: mongoose } = await import('mongoose');
      return mongoose.model('Cat', new mongoose.Schema({ name: String, tags: [String], password: String }));
    },
  },
  'mongodb MongoClient': {
    package: 'mongodb',
    line: 'connected, 1 connection, 0 in use, 0 waiting',
    async make() {
      const { MongoClient, BSON } = await import('mongodb');
      const server = createServer((socket) => answerAsMongo(socket, BSON));
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const client = new MongoClient(`mongodb://127.0.0.1:${server.address().port}/shop`, {
        auth: { username: 'shop', password: 'mongoHunter2pw' },
        authMechanism: 'PLAIN',
        maxPoolSize: 7,
      });
      await client.connect();
      client.once('topologyClosed', () => server.close());
      return client;
    },
    end: (client) => client.close(),
  },
  Kysely: {
    package: 'kysely',
    line: 'dialect Postgres',
    async make({ postgres }) {
      const { Kysely, PostgresDialect } = await import('kysely');
      const { default: pg } = await import('pg');
      return new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: postgres.url }) }) });
    },
    end: (database) => database.destroy(),
  },
  'drizzle()': {
    package: 'drizzle-orm',
    line: 'dialect PgDialect, client BoundPool',
    async make({ postgres }) {
      const { drizzle } = await import('drizzle-orm/node-postgres');
      return drizzle(postgres.url);
    },
    end: (database) => database.$client.end(),
  },
};
