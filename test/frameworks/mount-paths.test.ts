import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:http2';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { beanInspection as inExpress } from '@jig/bean-inspection/express';
import { beanInspection as inFastify } from '@jig/bean-inspection/fastify';
import { beanInspection as inKoa } from '@jig/bean-inspection/koa';
import express from 'express';
import fastify from 'fastify';
import Koa from 'koa';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunningMount } from './conformance/mount.ts';
import { listen } from './mounts/listen.ts';

const mount = createRequire(import.meta.url)('koa-mount') as (path: string, app: Koa.Middleware) => Koa.Middleware;
const koaListener = (app: Koa) => {
  const respond = app.callback();
  return (...both: Parameters<typeof respond>) => void respond(...both);
};
const source = { pricing: { vat: 19 } };
const running: RunningMount[] = [];

afterEach(async () => {
  for (const { stop } of running.splice(0)) await stop();
});

async function start(listener: Parameters<typeof createServer>[1]): Promise<string> {
  const mounted = await listen(createServer(listener));
  running.push(mounted);
  return mounted.url;
}

/** The list below this prefix, whose first link is followed. */
async function follow(url: string, prefix: string): Promise<unknown> {
  const { beans } = await (await fetch(`${url}${prefix}/bean.json`)).json();
  expect(beans[0].links.json).toBe(`${prefix}/bean/pricing.json`);
  return (await fetch(url + beans[0].links.json)).json();
}

describe('bean inspection that is mounted at a path', () => {
  it.each([
    ['with the default prefix', {}, '/internal/jig'],
    ['with no prefix', { prefix: '' }, '/internal'],
    ['with a prefix that names the whole path', { prefix: '/internal/x' }, '/internal/x'],
  ])('in Express %s has links below that path', async (_how, options, prefix) => {
    const app = express().use('/internal', inExpress(source, options));
    expect(await follow(await start(app), prefix)).toEqual(source.pricing);
  });

  it('by koa-mount has links below that path', async () => {
    const app = new Koa().use(mount('/internal', inKoa(source)));
    expect(await follow(await start(koaListener(app)), '/internal/jig')).toEqual(source.pricing);
  });

  it('in a plugin of Fastify with a prefix has links below both', async () => {
    const app = fastify();
    await app.register(
      async (child) => {
        await child.register(inFastify, { source });
        await child.register(inFastify, { source, prefix: '/more' });
      },
      { prefix: '/internal' },
    );
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    running.push({ url, stop: () => app.close() });
    expect(await follow(url, '/internal/jig')).toEqual(source.pricing);
    expect(await follow(url, '/internal/more')).toEqual(source.pricing);
  });
});

describe('bean inspection in Fastify', () => {
  it('runs the hooks of the application first, and keeps their headers', async () => {
    const app = fastify();
    app.addHook('onRequest', async (request, reply) => {
      reply.header('x-request-id', '42');
      if (request.headers['x-user'] === undefined) await reply.code(401).send('who are you?');
    });
    await app.register(inFastify, { source });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    running.push({ url, stop: () => app.close() });
    expect((await fetch(`${url}/jig/bean/pricing.json`)).status).toBe(401);
    const answer = await fetch(`${url}/jig/bean/pricing.json`, { headers: { 'x-user': 'me' } });
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([200, '42']);
  });

  it('answers over HTTP/2', async () => {
    const app = fastify({ http2: true });
    await app.register(inFastify, { source });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const client = connect(url);
    running.push({
      url,
      stop() {
        client.close();
        return app.close();
      },
    });
    const warnings: Error[] = [];
    const warn = (warning: Error) => warnings.push(warning);
    process.on('warning', warn);
    const ask = async (headers: Record<string, string>, sent?: string) => {
      const stream = client.request({ ':path': '/jig/bean/pricing.json', ...headers });
      stream.end(sent);
      const [head] = await once(stream, 'response');
      // What is too long is not read to its end.
      return { status: head[':status'], body: await text(stream).catch(() => '') };
    };
    expect(await ask({})).toEqual({ status: 200, body: '{"vat":19}' });
    expect(await ask({ ':path': '/jig/bean/none.json' })).toMatchObject({ status: 404 });
    const form = { ':method': 'POST', ':path': '/jig/compare', 'content-type': 'application/x-www-form-urlencoded' };
    expect(await ask(form, 'x'.repeat(1e6))).toMatchObject({ status: 413 });
    expect(await ask({ ':authority': 'evil.example' })).toMatchObject({ status: 403 });
    process.off('warning', warn);
    expect(warnings).toEqual([]);
  });
});
