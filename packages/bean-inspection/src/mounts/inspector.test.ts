import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { BeanSource } from '../sources/bean-source.ts';
import { type BeanInspectionOptions, beanInspection } from './inspector.ts';

const servers: Server[] = [];
const failures: unknown[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
  failures.length = 0;
});

const values = new Map<string, unknown>([
  ['small', { word: 'small' }],
  ['nothing', null],
]);

/** Beans that are there, and one that is created on request. */
const source: BeanSource = {
  describe: () =>
    [...values.keys(), 'lazy'].map((name) => ({
      name,
      type: 'Object',
      scope: 'unknown',
      owner: 'test',
      dependencies: [],
      instantiated: values.has(name),
    })),
  has: (name) => values.has(name) || name === 'lazy',
  peek: (name) => (values.has(name) ? { value: values.get(name) } : undefined),
  get: async () => ({ value: {} }),
};

type Beans = Parameters<typeof beanInspection>[0];
const startWith = (beans: Beans) => start({}, beans);

async function start(options: BeanInspectionOptions = {}, beans: Beans = source): Promise<string> {
  const onError = (error: unknown) => failures.push(error);
  const handler = beanInspection(beans, { onError, ...options });
  const server = createServer((incoming, response) => {
    void handler(incoming, response).then((isDone) => isDone || response.end('application'));
  });
  return listenOn(server);
}

async function listenOn(server: Server): Promise<string> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Found {
  readonly beans: readonly { readonly name: string; readonly hits: readonly object[] }[];
  readonly isComplete: boolean;
  readonly unsearched: readonly string[];
}

const bodyOf = async (url: string, options?: RequestInit) => (await fetch(url, options)).text();

describe('a bean that is data', () => {
  const beans = {
    JWT_SECRET: 'planted-8172',
    otp: 123456,
    signingSecret: Buffer.from('planted-8172'),
    apiKeys: ['planted-8172'],
    secrets: { stripe: 'planted-8172' },
    tokens: new Map([['ada', 'planted-8172']]),
    jwt: new (class Jwt {
      greeting = 'hello';
    })(),
    greeting: 'hello',
  };
  const extensions = ['json', 'xml', 'html'];
  const ofBeans = Object.keys(beans).flatMap((name) => extensions.map((extension) => `bean/${name}.${extension}`));
  const everywhere = ['bean.json', 'bean.xml', 'bean.html', ...ofBeans];
  const readAll = async (url: string) => {
    const texts = await Promise.all(everywhere.map(async (path) => (await fetch(`${url}/jig/${path}`)).text()));
    return texts.join('\n');
  };

  it('is masked by its name, in all forms', async () => {
    const shown = await readAll(await startWith(beans));
    expect(shown).not.toMatch(/planted-8172|123456|cGxhbnRlZC04MTcy/);
    expect(shown).toContain('"******"');
    expect(shown).toContain('{"greeting":"hello"}');
  });

  it('is shown when reveal names it', async () => {
    expect(await readAll(await start({ reveal: ['JWT_SECRET'] }, beans))).toContain('"planted-8172"');
  });
});

describe('beanInspection', () => {
  it('shows the other beans when the source fails for one', async () => {
    const peek: typeof source.peek = (name) => {
      if (name === 'lazy') throw new Error('out of order');
      return source.peek(name);
    };
    const url = await start({ deny: ['nothing'] }, { ...source, peek });
    const pages = ['bean', 'bean.json?find=small', 'bean/small.json', 'bean/small.html', 'graph'];
    for (const page of pages) expect([page, (await fetch(`${url}/jig/${page}`)).status]).toEqual([page, 200]);
    expect((await fetch(`${url}/jig/bean/lazy.json`)).status).toBe(503);
  });

  it('ends a request whose client disconnects while a bean is being created', async () => {
    const never: BeanSource = { ...source, get: () => new Promise(() => {}), peek: () => undefined };
    const handler = beanInspection(never, { onError: (error) => failures.push(error) });
    let [begun, ended] = [0, 0];
    const url = await listenOn(
      createServer((incoming, response) => {
        begun++;
        void handler(incoming, response).then(() => ended++);
      }),
    );
    const client = connect(Number(new URL(url).port), '127.0.0.1');
    client.write('GET /jig/bean/lazy.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2));
    await expect.poll(() => begun).toBe(2);
    expect(ended).toBe(0);
    client.destroy();
    await expect.poll(() => ended).toBe(2);
    expect(failures).toEqual([]);
  });

  it('closes the connection when not even a problem can be sent, and keeps working', async () => {
    const handler = beanInspection(source, { onError: (error) => failures.push(error) });
    const refused = new Error('no more headers');
    const server = createServer((incoming, response) => {
      if (incoming.url?.includes('none') === true)
        response.writeHead = () => {
          throw refused;
        };
      void handler(incoming, response);
    });
    const url = await listenOn(server);
    await expect(fetch(`${url}/jig/bean/none.json`)).rejects.toThrow();
    expect(failures).toEqual([refused]);
    expect((await fetch(`${url}/jig/bean/small.json`)).status).toBe(200);
  });

  it.each([
    { prefix: 'jig' },
    { prefix: '/a b' },
    { token: 'short' },
    { create: 'never' as never },
    { hosts: 'localhost' as never },
    { allow: [1] as never },
    { getters: 'all' as never },
    { instance: 'all' },
    { metrics: { 'a b': { bean: 'a', at: '' } } },
    { views: true as never },
    { watch: 'pool' as never },
    { watch: [{ bean: 'a' }] as never },
    { watch: [{ bean: 'a', at: 'b' }] },
    { watch: [{ bean: 'a', at: '/a', reading: 'b' }] as never },
    { watch: [{ bean: 'a', at: '/a', over: '5' as never }] },
    { watch: Array.from({ length: 51 }, () => ({ bean: 'a', at: '' })) },
  ])('rejects the options %o at the start', (options) => {
    expect(() => beanInspection(source, options)).toThrow(/^The option [a-zA-Z]+ of beanInspection must/);
  });

  it('gives the time that fast beans leave in a search to slow ones', async () => {
    let now = 1;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    /** Takes so many milliseconds, by a clock that only such beans move. */
    const slow = (milliseconds: number) => {
      const get = () => {
        now += 10;
        return 'needle';
      };
      const names = Array.from({ length: milliseconds / 10 }, (_, index) => `g${index}`);
      return Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, { get, enumerable: true }])));
    };
    const small = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`small${index}`, { index }]));
    const search = async (beans: Readonly<Record<string, object>>) => {
      const found = JSON.parse(await bodyOf(`${await startWith(beans)}/jig/bean.json?find=needle`)) as Found;
      return { ...found, hits: Object.fromEntries(found.beans.map(({ name, hits }) => [name, hits.length])) };
    };
    // Each has a share of 200 ms at first.
    const two = await search({ first: slow(400), ...small, second: slow(500) });
    const many = await search({ first: slow(1500), ...small, second: slow(1500) });
    vi.restoreAllMocks();
    expect(two).toMatchObject({ isComplete: true, unsearched: [], hits: { first: 40, second: 50 } });
    expect(many).toMatchObject({ isComplete: false, unsearched: ['first', 'second'] });
    // Nobody looks for more than fifty in one bean.
    expect(many.hits).toEqual({ first: 50, second: 50 });
  });
});

it('HEAD has no body, also on a server that rejects one', async () => {
  const inspect = beanInspection({ prices: { apple: 3 } }, { onError: (error) => failures.push(error), onReady() {} });
  const server = createServer({ rejectNonStandardBodyWrites: true }, (req, res) => void inspect(req, res));
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (const path of ['bean/prices.json', 'bean.json', 'bean/none.json']) {
    const answer = await fetch(`http://127.0.0.1:${port}/jig/${path}`, { method: 'HEAD' });
    expect([path, answer.status]).toEqual([path, path.includes('none') ? 404 : 200]);
  }
  expect(failures).toEqual([]);
});
