import { Transform } from 'node:stream';
import cors from '@fastify/cors';
import type { Feature } from '@jig/application';
import { clockFeature } from '@jig/clock';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type RunningApplication,
  startApplication,
} from '../../packages/application/test-fixtures/running-application.ts';
import beanInspection from '../../packages/bean-inspection/src/add-on.ts';
import { request } from '../support/exchange.ts';

const big = Array.from({ length: 50_000 }, (_, index) => ({ index }));

type Plugin = (server: FastifyInstance) => void | Promise<void>;

/** An application with the clock and bean inspection, and with a plugin whose hooks are meant for all routes. */
function startWith(plugin: Plugin, flags: readonly string[] = []) {
  const routes: FastifyPluginAsync = fastifyPlugin(async (server) => plugin(server));
  const feature: Feature = {
    name: 'hooks',
    register(host) {
      host.define('big', { type: 'Big', create: () => big });
      host.define('small', { type: 'Small', create: () => ({ word: 'small' }) });
      host.routes(routes);
    },
  };
  return startApplication([clockFeature, beanInspection, feature], flags);
}

/** The same for all tests of a file or of a `describe`. */
function useApplication(plugin: Plugin): { readonly url: string } {
  let application: RunningApplication;
  beforeAll(async () => {
    application = await startWith(plugin);
  });
  afterAll(() => application?.[Symbol.asyncDispose]());
  return {
    get url() {
      return application.url;
    },
  };
}

const post = { method: 'POST', body: 'languageTag=de', redirect: 'manual' } as const;
const form = { ...post, headers: { 'content-type': 'application/x-www-form-urlencoded' } };

/** What is answered, and how it is asked for. */
const answers: readonly [what: string, path: string, options?: RequestInit][] = [
  ['the page', '/clock/time'],
  ['the page, compressed', '/clock/time', { headers: { 'accept-encoding': 'gzip' } }],
  ['the page, by HEAD', '/clock/time', { method: 'HEAD' }],
  ['the redirect of a form', '/clock/time', form],
  ['a form that is refused', '/clock/time', { ...post, headers: { 'content-type': 'text/plain' } }],
  ['a bean as JSON', '/jig/bean/small.json'],
  ['a bean as XML', '/jig/bean/small.xml'],
  ['a bean by HEAD', '/jig/bean/small.json', { method: 'HEAD' }],
  ['a big bean', '/jig/bean/big.json'],
  ['an unknown bean', '/jig/bean/nothing.json'],
  ['the list of beans', '/jig/bean.json'],
  ['the list of beans as a page', '/jig/bean', { headers: { accept: 'text/html' } }],
  ['an asset that is not there', '/assets/none/0.0.0/none.js'],
  ['the start page', '/'],
  ['/health', '/health'],
  ['/openapi.json', '/openapi.json'],
  ['what is not there', '/nothing'],
];

describe('headers that a hook onRequest has set', () => {
  const withHeaders = useApplication((server) => {
    server.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'x-request-id': '42', 'referrer-policy': 'no-referrer' });
      reply.raw.setHeader('x-raw', 'yes');
      reply.header('server-timing', 'db');
    });
  });
  const withCors = useApplication(async (server) => {
    await server.register(cors, { origin: [/elsewhere/] });
  });

  it.each(answers)('are kept on %s', async (_what, path, options) => {
    const { headers, body } = await fetch(withHeaders.url + path, options);
    await body?.cancel();
    expect([headers.get('x-request-id'), headers.get('x-raw')]).toEqual(['42', 'yes']);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('are combined with the values that the page adds', async () => {
    const { headers } = await fetch(`${withHeaders.url}/clock/time`);
    expect(headers.get('server-timing')).toMatch(/^db, now;desc="\d+"$/);
  });

  it.each([
    ['/clock/time', 'Origin, Cookie, Accept-Language, Accept-Encoding'],
    ['/jig/bean', 'Origin, Accept'],
    ['/jig/bean/small.json', 'Origin'],
    ['/nothing', 'Origin'],
  ])('are those of @fastify/cors on %s, with Vary of both', async (path, vary) => {
    const { headers } = await fetch(withCors.url + path, { headers: { origin: 'http://elsewhere.example' } });
    expect([headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([
      'http://elsewhere.example',
      vary,
    ]);
  });
});

describe('a hook onSend', () => {
  let runs = 0;
  const counting = useApplication((server) => {
    server.addHook('onSend', async (_request, reply, payload) => {
      runs++;
      reply.header('x-sent', 'yes');
      return payload;
    });
  });

  it.each(answers)('runs once for %s', async (_what, path, options) => {
    runs = 0;
    const answer = await fetch(counting.url + path, options);
    await answer.text();
    expect([runs, answer.headers.get('x-sent')]).toEqual([1, 'yes']);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  const upperCase = () =>
    new Transform({ transform: (chunk, _encoding, done) => done(null, String(chunk).toUpperCase()) });

  it('may wrap the stream of a long bean, which is still sent in chunks', async () => {
    await using application = await startWith((server) => {
      server.addHook('onSend', async (_request, _reply, payload) =>
        (payload as NodeJS.ReadableStream).pipe(upperCase()),
      );
    });
    const answer = await fetch(`${application.url}/jig/bean/big.json`);
    expect(await answer.text()).toBe(JSON.stringify(big).toUpperCase());
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('content-length')).toBeNull();
  });

  it('may replace a bean or a page by a text', async () => {
    await using application = await startWith((server) => {
      server.addHook('onSend', async () => 'replaced');
    });
    for (const path of ['/jig/bean/small.json', '/jig/bean/big.json', '/clock/time']) {
      const answer = await fetch(application.url + path, { headers: { 'accept-encoding': 'identity' } });
      expect([path, answer.status, await answer.text()]).toEqual([path, 200, 'replaced']);
    }
  });

  it('that fails gives a 500, and the application continues', async () => {
    let fails = true;
    await using application = await startWith((server) => {
      server.addHook('onSend', async (_request, reply, payload) => {
        if (fails && reply.statusCode === 200) throw new Error('no luck');
        return payload;
      });
    });
    for (const path of ['/jig/bean/small.json', '/jig/bean/big.json', '/clock/time']) {
      const answer = await fetch(application.url + path);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        500,
        'application/problem+json',
      ]);
    }
    fails = false;
    expect((await fetch(`${application.url}/clock/time`)).status).toBe(200);
  });
});

describe('a document that passes a hook onSend', () => {
  const passing = (server: FastifyInstance) => {
    server.addHook('onSend', (_request, _reply, payload, done) => done(null, payload));
  };

  it.each([
    ['left out', '--beanInspection.limit=40000', true],
    ['complete', '--beanInspection.limit=0', false],
  ])('reports in its trailer whether something was left out: %s', async (_what, flag, isTruncated) => {
    for (const plugin of [passing, () => {}]) {
      await using application = await startWith(plugin, [flag]);
      const { raw, headers } = await request(application.url, 'GET /jig/bean/big.json');
      const isSaid = headers.has('jig-truncated') || /\r\n0\r\njig-truncated: true\r\n\r\n$/i.test(raw);
      expect(isSaid).toBe(isTruncated);
    }
  });
});
