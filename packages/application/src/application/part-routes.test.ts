import type { Registration, SettingsSchema } from '@jig/application';
import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { describe, expect, it } from 'vitest';
import { startApplication } from '../../test-fixtures/running-application.ts';

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

type Row = readonly [what: string, plugin: RoutesPlugin, why: string | RegExp];

async function expectSentence([_what, plugin, why]: Row): Promise<void> {
  const sentence = await sentenceOf(plugin);
  expect(sentence).toEqual(typeof why === 'string' ? `The feature broken ${why}` : expect.stringMatching(why));
  expect(sentence).not.toMatch(/\n|node_modules/);
}

describe.concurrent('the routes of a feature', () => {
  it.each<Row>([
    ['throw', async () => fail(), 'could not register its routes: no luck'],
    ['call back with an error', (_server, _options, done) => done(new Error('no luck')), /not register.*no luck/],
    ['never end', () => never(), /could not register its routes: .*did not start in time/],
    [
      'have a route of another feature',
      async (server) => void server.get('/before', async () => ''),
      /^The feature broken could not register its routes: Method 'GET' already declared for route '\/before'/,
    ],
  ])('that %s end the start with one sentence', async (...row) => expectSentence(row));
});
