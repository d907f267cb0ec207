import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

// By `require`, since before its first import of a CommonJS module Node 20 compiles a parser from WebAssembly: a fifth of a start.
export const { fastify, LogController }: typeof import('fastify') = require('fastify');
export const findMyWay: typeof import('find-my-way') = require('find-my-way');
export const { pino }: typeof import('pino') = require('pino');

/** These two load Ajv, another sixth of a start, so they are loaded by the first route with a schema. */
export const loadValidatorCompiler: () => typeof import('@fastify/ajv-compiler') = () =>
  require('@fastify/ajv-compiler');
export const loadSerializerCompiler: () => typeof import('@fastify/fast-json-stringify-compiler') = () =>
  require('@fastify/fast-json-stringify-compiler');
