import fastify from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { beanInspection } from './fastify.ts';

const token = 'a-token-of-the-tests';
const source = { small: { word: 'small' } };
let app = fastify();

afterEach(() => app.close());

async function start(trustProxy = false): Promise<void> {
  app = fastify({ trustProxy });
  await app.register(beanInspection, { source, token, onReady: () => {} });
}

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { host: 'localhost', authorization: `Bearer ${token}`, ...headers } });

describe('the Fastify plugin', () => {
  it.each([
    [true, 200],
    [false, 403],
  ])('with trustProxy=%s answers a page of the host that a proxy names with %i', async (trustProxy, status) => {
    await start(trustProxy);
    const headers = { origin: 'https://beans.example', 'x-forwarded-host': 'beans.example' };
    expect((await get('/jig/bean/small.json', headers)).statusCode).toBe(status);
  });

  it('writes to the log of the application when a value crosses a limit, and at once when that is another one', async () => {
    const lines: string[] = [];
    const stream = { write: (line: string) => void lines.push(line) };
    app = fastify({ logger: { level: 'warn', stream } });
    const pool = { waiting: 3 };
    const watch = [{ bean: 'pool', at: '/waiting', over: 2 }];
    let crossings = 0;
    const onThreshold = () => crossings++;
    await app.register(beanInspection, { source: { pool }, onReady: () => {}, watch, onThreshold });
    await expect.poll(() => crossings).toBe(1);
    const set = (over: number) => app.inject({ method: 'POST', url: `/jig/watch?bean=pool&at=/waiting&over=${over}` });
    await set(1);
    expect(crossings).toBe(2);
    const msg = (limit: number) => `bean inspection: "/waiting" of the bean "pool" is 3, over its limit ${limit}`;
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, msg: msg(2) },
      { level: 40, msg: msg(1) },
    ]);
  });
});
