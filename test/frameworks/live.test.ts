import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { beanInspection as inNode } from '@jig/bean-inspection';
import { beanInspection as inFastify } from '@jig/bean-inspection/fastify';
import { beanInspection as inHono } from '@jig/bean-inspection/hono';
import fastify from 'fastify';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { testedBeans } from './conformance/beans.ts';
import type { RunningMount } from './conformance/mount.ts';
import { hostMount } from './mounts/host.ts';
import { listen } from './mounts/listen.ts';

async function waiting(server: Server): Promise<RunningMount> {
  const { url } = await listen(server);
  const stop = async () => {
    server.close();
    await once(server, 'close');
  };
  return { url, stop };
}

/** Applications that wait for their connections when they stop, as most do. */
const mounts: Readonly<Record<string, () => Promise<RunningMount>>> = {
  'node:http'() {
    const inspect = inNode(testedBeans().source);
    return waiting(createServer((request, response) => void inspect(request, response)));
  },
  Hono() {
    const respond = getRequestListener(new Hono().use(inHono(testedBeans().source)).fetch);
    return waiting(createServer((request, response) => void respond(request, response)));
  },
  async Fastify() {
    const app = fastify({ forceCloseConnections: false });
    await app.register(inFastify, { source: testedBeans().source });
    return { url: await app.listen({ port: 0, host: '127.0.0.1' }), stop: () => app.close() };
  },
  'our host': () => hostMount.start(testedBeans(), {}),
};

describe.each(Object.entries(mounts))('an event stream in %s', (_name, start) => {
  it.concurrent('ends when the application stops, which does not wait for its client', async () => {
    const { url, stop } = await start();
    const { body } = await fetch(`${url}/jig/bean/moving.json`, { headers: { accept: 'text/event-stream' } });
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    const stopped = stop();
    let text = '';
    for (let part = await reader.read(); !part.done; part = await reader.read())
      text += Buffer.from(part.value).toString();
    await stopped;
    expect(text).not.toContain('problem');
    await expect(fetch(`${url}/jig/bean`)).rejects.toThrow();
  });
});
