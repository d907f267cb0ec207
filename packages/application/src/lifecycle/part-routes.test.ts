import { createRequire } from 'node:module';
import cookie from '@fastify/cookie';
import type { Registration, SettingsSchema } from '@jig/application';
import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApplication } from '../../test-fixtures/running-application.ts';

// Their types would declare another `request.session` for all of this repository.
const require = createRequire(import.meta.url);
const session: FastifyPluginCallback<Record<string, unknown>> = require('@fastify/session');

type RoutesPlugin = Parameters<Registration<SettingsSchema>['routes']>[0];

const never = () => new Promise<never>(() => {});
const fail = (): never => {
  throw new Error('no luck');
};
const shared = (plugin: (server: FastifyInstance) => Promise<void>) => fastifyPlugin(plugin);

/** The sentence with which the start of an application ends whose feature `broken` has this plugin, between two that are well. */
async function sentenceOf(plugin: RoutesPlugin): Promise<string> {
  const features = [
    { name: 'before', plugin: shared(async (server) => void server.get('/before', async () => 'before')) },
    { name: 'broken', plugin },
    { name: 'after', plugin: async (server: FastifyInstance) => void server.addHook('onReady', async () => {}) },
  ].map(({ name, plugin: each }) => ({
    name,
    register: (host: Registration<SettingsSchema>) => host.routes(each),
  }));
  const starting = startApplication(features, ['--application.startTimeout=300ms']);
  return starting.then(
    () => 'it started',
    (error: Error) => error.message,
  );
}

const schema = { body: { type: 'wrong' } };
const secret = 'a'.repeat(32);

type Row = readonly [what: string, plugin: RoutesPlugin, why: string | RegExp];

async function expectSentence([_what, plugin, why]: Row): Promise<void> {
  const sentence = await sentenceOf(plugin);
  expect(sentence).toMatch(/^The feature broken /);
  expect(sentence.slice('The feature broken '.length)).toEqual(
    typeof why === 'string' ? why : expect.stringMatching(why),
  );
  expect(sentence).not.toMatch(/\n|node_modules/);
}

describe.concurrent('the routes of a feature', () => {
  it.each<Row>([
    ['throw', async () => fail(), 'could not register its routes: no luck'],
    ['call back with an error', (_server, _options, done) => done(new Error('no luck')), /not register.*no luck/],
    ['never end', () => never(), /could not register its routes: .*did not start in time/],
    ['never call back', (_server, _options, _done) => {}, /could not register its routes: .*did not start in time/],
    [
      'have a route of another feature',
      async (server) => void server.get('/before', async () => ''),
      'could not register its routes: GET /before is already a route of the feature before',
    ],
    [
      'have an invalid schema',
      async (server) => void server.post('/orders', { schema }, async () => ''),
      /could not prepare its routes: Failed building the validation schema for POST: \/orders, due to error/,
    ],
    [
      'have an invalid schema of a response',
      async (server) => void server.get('/', { schema: { response: { 200: { type: 'wrong' } } } }, async () => ''),
      /could not prepare its routes: Failed building the serialization schema for GET: \/, due to error/,
    ],
    [
      'have a hook onReady that throws',
      async (server) => void server.addHook('onReady', async () => fail()),
      'could not prepare its routes: no luck',
    ],
    [
      'have a hook onReady that throws, for the whole application',
      shared(async (server) => void server.addHook('onReady', async () => fail())),
      'could not prepare its routes: no luck',
    ],
    [
      'have a hook onReady that never ends',
      async (server) => void server.addHook('onReady', never),
      /could not prepare its routes: .*onReady.*/,
    ],
    [
      'have a hook onRoute that throws',
      async (server) => {
        server.addHook('onRoute', fail);
        server.get('/orders', async () => '');
      },
      'could not register its routes: no luck',
    ],
  ])('that %s end the start with one sentence that names it', async (...row) => expectSentence(row));
});

describe('the routes of a feature with a plugin with a callback, whose errors escape Fastify,', () => {
  // The runner would count them as its own.
  const listeners = process.listeners('uncaughtException');
  beforeAll(() => void process.removeAllListeners('uncaughtException'));
  afterAll(() => listeners.forEach((listener) => void process.on('uncaughtException', listener)));

  it.each<Row>([
    ['throw', () => fail(), 'could not register its routes: no luck'],
    ['throw in a plugin of theirs', async (server) => void server.register(fail), /not register.*no luck/],
    [
      'have @fastify/session',
      async (server) => {
        await server.register(cookie);
        await server.register(session, { secret });
      },
      /could not register its routes: Jig has sessions of its own, so use request\.session without @fastify\/session/,
    ],
  ])('that %s end the start with one sentence that names it', async (...row) => {
    await expectSentence(row);
    expect(process.listenerCount('uncaughtException')).toBe(0);
  });
});

it('a feature may have a plugin with a callback', async () => {
  await using application = await startApplication([
    {
      name: 'callback',
      register: (host) =>
        host.routes((server, _options, done) => {
          server.get('/orders', (_request, reply) => void reply.send('none'));
          done();
        }),
    },
  ]);
  expect(await (await fetch(`${application.url}/orders`)).text()).toBe('none');
});
