import { createRequire } from 'node:module';

// Node 20 searches a CommonJS module that is imported for its exports first; to require these saves a third of the time of a start.
const require = createRequire(import.meta.url);

export const { fastify, LogController }: typeof import('fastify') = require('fastify');
export const findMyWay: typeof import('find-my-way') = require('find-my-way');
export const { pino }: typeof import('pino') = require('pino');
