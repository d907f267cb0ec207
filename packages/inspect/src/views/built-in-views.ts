import * as clientsAndLogs from './clients-and-logs.ts';
import * as databases from './databases.ts';
import * as frameworks from './frameworks.ts';
import * as node from './node.ts';
import * as poolsAndCaches from './pools-and-caches.ts';
import * as redisAndQueues from './redis-and-queues.ts';
import * as stores from './stores.ts';
import type { View } from './view.ts';
import * as web from './web.ts';

const { pgPool, pgClient, postgresJs, mysqlPool, mysqlPromisePool, mariadbPool, betterSqlite, knex } = databases;
const { sequelize, typeormDataSource, mongooseConnection, mongooseModel, mongoose, drizzle } = databases;
const { ioredis, nodeRedis, bullQueue, bullWorker, kafka, amqpChannel, pQueue, bottleneck } = redisAndQueues;
const { genericPool, tarnPool, piscina, undiciPool, undiciAgent } = poolsAndCaches;
const { lruCache, nodeCache, keyv, cacheManager } = poolsAndCaches;
const { pino, winston, promRegistry, axios, got, webSocketServer, socketIo } = clientsAndLogs;
const { redux, zustand, xstateActor, rxSubject, nodeCron, croner, mobxMap, vueRef } = stores;
const { expressApp, expressRouter, fastify, koa, hono } = frameworks;
const { headers, formData, urlSearchParams, request, response, blob, abortSignal, intl } = web;
const { httpServer, netServer, socket, worker, childProcess, timer, asyncLocalStorage, keyObject } = node;

/** The first that matches counts, so libraries come before the classes of Node that they extend. */
export const builtInViews: readonly View[] = [
  pgPool,
  pgClient,
  postgresJs,
  mysqlPool,
  mysqlPromisePool,
  mariadbPool,
  betterSqlite,
  knex,
  sequelize,
  typeormDataSource,
  mongooseConnection,
  mongooseModel,
  mongoose,
  drizzle,
  ioredis,
  nodeRedis,
  bullQueue,
  bullWorker,
  kafka,
  amqpChannel,
  pQueue,
  bottleneck,
  genericPool,
  tarnPool,
  piscina,
  undiciPool,
  undiciAgent,
  lruCache,
  nodeCache,
  keyv,
  cacheManager,
  pino,
  winston,
  promRegistry,
  axios,
  got,
  webSocketServer,
  socketIo,
  redux,
  zustand,
  xstateActor,
  rxSubject,
  nodeCron,
  croner,
  mobxMap,
  vueRef,
  expressApp,
  expressRouter,
  fastify,
  koa,
  hono,
  headers,
  formData,
  urlSearchParams,
  request,
  response,
  blob,
  abortSignal,
  intl,
  httpServer,
  netServer,
  socket,
  worker,
  childProcess,
  timer,
  asyncLocalStorage,
  keyObject,
  node.stream,
  node.eventEmitter,
];
