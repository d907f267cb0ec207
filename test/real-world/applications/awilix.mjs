// An application of thirty services in an Awilix container, each of which holds the container, on node:http.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { beanInspection } from '@jig/bean-inspection';
import { fromAwilix } from '@jig/bean-inspection/awilix';
import { asClass, asFunction, asValue, createContainer } from 'awilix';
import Redis from 'ioredis';
import knex from 'knex';
import { LRUCache } from 'lru-cache';
import NodeCache from 'node-cache';
import pg from 'pg';
import pino from 'pino';
import winston from 'winston';
import { databaseUrl, existingIn, opened, redis } from './opened.mjs';

const container = createContainer();

/** What each service needs. */
const services = {
  users: ['pool', 'pageCache', 'log'],
  accounts: ['users', 'knex', 'log'],
  sessions: ['redis', 'users'],
  permissions: ['users', 'sessions'],
  products: ['pool', 'pageCache', 'search'],
  categories: ['products', 'knex'],
  prices: ['products', 'pageCache', 'currencies'],
  currencies: ['rateCache', 'log'],
  taxes: ['prices', 'accounts'],
  stock: ['products', 'pool', 'redis'],
  warehouses: ['stock', 'knex'],
  carts: ['sessions', 'prices', 'redis'],
  discounts: ['carts', 'prices'],
  orders: ['carts', 'taxes', 'stock', 'pool'],
  payments: ['orders', 'accounts', 'audit'],
  refunds: ['payments', 'orders'],
  invoices: ['orders', 'taxes', 'templates'],
  shipments: ['orders', 'warehouses', 'carriers'],
  carriers: ['rateCache', 'log'],
  returns: ['shipments', 'refunds'],
  mail: ['templates', 'audit'],
  templates: ['pageCache'],
  notifications: ['mail', 'users', 'redis'],
  newsletters: ['mail', 'accounts'],
  reviews: ['users', 'products', 'search'],
  search: ['redis', 'pool'],
  recommendations: ['reviews', 'orders'],
  reports: ['orders', 'payments', 'knex'],
  audit: ['pool', 'log'],
  imports: ['products', 'stock', 'reports'],
};

/** A class of this name that keeps what it needs, the cradle and the container. */
function service(name, needs) {
  const className = `${name[0].toUpperCase()}${name.slice(1)}Service`;
  return {
    [className]: class {
      recent = new Map(Array.from({ length: 20 }, (_, id) => [id, { id, name: `${name} ${id}`, at: new Date() }]));
      options = { endpoint: `https://${name}:urlHunter2pw@${name}.example`, apiKey: `${name}KeyHunter2pw`, retries: 3 };

      constructor(cradle) {
        this.cradle = cradle;
        this.container = container;
        for (const need of needs) this[need] = cradle[need];
      }

      get isBusy() {
        return this.recent.size > 100;
      }
    },
  }[className];
}

for (const [name, needs] of Object.entries(services))
  container.register(name, asClass(service(name, needs)).singleton());

let visits = 0;
container.register({
  container: asValue(container),
  configuration: asValue({ database: databaseUrl, redis, smtp: { user: 'shop', pass: 'smtpHunter2pw' } }),
  pool: asFunction(() => new pg.Pool({ connectionString: databaseUrl, max: 5, idleTimeoutMillis: 0 })).singleton(),
  knex: asFunction(() => knex({ client: 'pg', connection: databaseUrl })).singleton(),
  redis: asFunction(() => new Redis(redis)).singleton(),
  log: asFunction(() => pino({ level: 'warn' })).singleton(),
  accessLog: asFunction(() => winston.createLogger({ transports: [new winston.transports.Console()] })).singleton(),
  pageCache: asFunction(() => new LRUCache({ max: 500 })).singleton(),
  rateCache: asFunction(() => new NodeCache({ stdTTL: 60 })).singleton(),
  visit: asFunction(() => ({ number: ++visits })).scoped(),
  receipt: asFunction(() => ({ number: ++visits })).transient(),
  backup: asFunction(() => {
    throw new Error('A lazy bean was created.');
  }).singleton(),
});

const { pool, knex: database, redis: cache, pageCache, rateCache } = container.cradle;
await Promise.all([pool.query('SELECT 1'), database.raw('SELECT 1'), cache.set('a', 1)]);
for (let id = 0; id < 200; id++) pageCache.set(`/products/${id}`, { id, html: `<p>${id}</p>` });
rateCache.set('EUR', { USD: 1.08, sessionToken: 'rateHunter2pw' });
for (const name of [...Object.keys(services), 'accessLog']) container.resolve(name);

const source = fromAwilix(container);
const beans = beanInspection(source);
const server = createServer((request, response) => {
  void beans(request, response).then((isAnswered) => isAnswered || response.end('the shop'));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
opened(server.address().port, existingIn(source));
