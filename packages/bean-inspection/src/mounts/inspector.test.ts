import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { exchange, request } from '../../../../test/support/exchange.ts';
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

const hostile = new Proxy(
  {},
  {
    get(_target, key) {
      throw new Error(`a bean was asked for ${String(key)}`);
    },
  },
);
const values = new Map<string, unknown>([
  ['small', { word: 'small', password: 'hunter2' }],
  ['nothing', null],
  ['hostile', hostile],
  ['ä/b', { odd: true }],
  ['big', Array.from({ length: 1_000_000 }, (_, index) => ({ index }))],
]);

/** Beans that are there, one that is created on request, and one that cannot be. */
const source: BeanSource<{ readonly method?: string | undefined }> = {
  describe: () =>
    [...values.keys(), 'lazy', 'broken'].map((name) => ({
      name,
      type: 'Object',
      scope: name === 'lazy' ? 'request' : 'unknown',
      owner: 'test',
      dependencies: [],
      instantiated: values.has(name),
    })),
  has: (name) => values.has(name) || name === 'lazy' || name === 'broken',
  peek: (name) => (values.has(name) ? { value: values.get(name) } : undefined),
  async get(name, { method }) {
    if (name === 'broken') throw new Error('out of order');
    return { value: { method } };
  },
};

type Beans = Parameters<typeof beanInspection>[0];
const startWith = (beans: Beans) => start({}, '', beans);

async function start(options: BeanInspectionOptions = {}, mountedAt = '', beans: Beans = source): Promise<string> {
  const onError = (error: unknown) => failures.push(error);
  const handler = beanInspection(beans, { onError, secrets: ['hunter22222'], ...options });
  const server = createServer((incoming, response) => {
    response.setHeader('content-security-policy', "default-src 'self'");
    const { url = '' } = incoming;
    // As Express does where something is mounted at a path.
    if (mountedAt !== '') Object.assign(incoming, { originalUrl: url, url: url.slice(mountedAt.length) });
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

  it('is as secret as its name, in all forms', async () => {
    const shown = await readAll(await startWith(beans));
    expect(shown).not.toMatch(/planted-8172|123456|cGxhbnRlZC04MTcy/);
    expect(shown).toContain('"******"');
    expect(shown).toContain('{"greeting":"hello"}');
  });

  it('is shown where the application reveals its name', async () => {
    expect(await readAll(await start({ reveal: ['JWT_SECRET'] }, '', beans))).toContain('"planted-8172"');
  });
});

describe('beanInspection on bare node:http', () => {
  it('answers a bean as JSON and XML, with secrets masked and its own headers', async () => {
    const url = await start();
    const answer = await fetch(`${url}/jig/bean/small.json`);
    expect(await answer.text()).toBe('{"word":"small","password":"******"}');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store, no-transform',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^default-src 'none'/),
      'transfer-encoding': 'chunked',
    });
    const xml = await fetch(`${url}/jig/bean/small.xml`);
    expect([xml.headers.get('content-type'), await xml.text()]).toEqual([
      'application/xml',
      expect.stringContaining('<word>small</word>'),
    ]);
    expect(await bodyOf(`${url}/jig/bean/small.json?at=/word`)).toBe('"small"');
  });

  it('answers beans that are null, fail when they are awaited, have an odd name or the scope of a request', async () => {
    const url = await start();
    expect(await bodyOf(`${url}/jig/bean/nothing.json`)).toBe('null');
    expect((await fetch(`${url}/jig/bean/hostile.json`)).status).toBe(200);
    expect(await bodyOf(`${url}/jig/bean/%C3%A4%2Fb.json`)).toBe('{"odd":true}');
    expect(await bodyOf(`${url}/jig/bean/lazy.json/`)).toBe('{"method":"GET"}');
  });

  it.each([
    ['/jig/bean', 'application/json'],
    ['/jig/bean/', 'application/json'],
    ['/jig/bean.json', 'application/json'],
    ['/jig/bean.xml', 'application/xml'],
  ])('answers the list at %s as %s', async (path, type) => {
    const answer = await fetch((await start()) + path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    expect(await answer.text()).toContain('/jig/bean/%C3%A4%2Fb.xml');
  });

  it('answers the list as a page that its policy lets style itself', async () => {
    const url = await start({ application: 'A & B' });
    const answer = await fetch(`${url}/jig/bean`, { headers: { accept: 'text/html' } });
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(
      /script-src 'self'; style-src 'self';.*require-trusted-types-for 'script'/,
    );
    expect(answer.headers.get('vary')).toBe('Accept');
    const page = await answer.text();
    expect(page).toContain('href="/jig/bean/small.json?pretty"');
    expect(page).toContain('<b><bdi>A &#38; B</bdi></b>');
    expect(page).not.toContain('Start page');
    expect((await fetch(`${url}/jig/bean`, { headers: { accept: 'image/png' } })).status).toBe(406);
  });

  it('leaves other addresses to the application, and all of them in production', async () => {
    const url = await start();
    for (const path of ['/', '/jig', '/jig/beans', '/jig/bean.txt', '/JIG/bean', '/x?/jig/bean'])
      expect([path, await bodyOf(url + path)]).toEqual([path, 'application']);
    expect(await bodyOf(`${await start({ enabled: false })}/jig/bean/small.json`)).toBe('application');
  });

  it.each([
    ['/jig/bean/none.json', 'application/problem+json'],
    ['/jig/bean/none.xml', 'application/problem+xml'],
    ['/jig/bean/small', 'application/problem+json'],
    ['/jig/bean/a/small.json', 'application/problem+json'],
    ['/jig/bean/small.json?at=/none', 'application/problem+json'],
  ])('answers %s with 404, the reason "Resource not found" and %s', async (path, type) => {
    const { statusLine, headers, body } = await request(await start(), `GET ${path}`);
    expect(statusLine).toBe('HTTP/1.1 404 Resource not found');
    expect(headers.get('content-type')).toBe(type);
    expect(body).toContain('Resource not found: ');
  });

  it('looks for no bean that has the extension in its name when GET asks for one', async () => {
    const asked: string[] = [];
    const has = (name: string) => asked.push(name) > 0 && source.has(name);
    const url = await startWith({ ...source, has });
    expect((await fetch(`${url}/jig/bean/small.json`)).status).toBe(200);
    expect([asked.includes('small'), asked.includes('small.json')]).toEqual([true, false]);
  });

  it('answers other methods with 405, bad parameters and addresses with 400', async () => {
    const url = await start();
    const post = await fetch(`${url}/jig/bean/small.json`, { method: 'POST', body: 'x' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(await post.json()).toMatchObject({ status: 405, title: 'Method not allowed' });
    expect((await fetch(`${url}/jig/bean/small.json?depth=0`)).status).toBe(400);
    expect((await fetch(`${url}/jig/bean?depth=0`)).status).toBe(400);
    expect((await request(url, 'GET /jig/bean/%zz.json')).status).toBe(400);
  });

  it('answers HEAD with the headers of GET and nothing else', async () => {
    const url = await start();
    for (const path of ['/jig/bean/small.json', '/jig/bean/big.json', '/jig/bean', '/jig/bean/none.json']) {
      const [head, get] = [await request(url, `HEAD ${path}`), await fetch(url + path)];
      await get.body?.cancel();
      expect([path, head.status, head.body]).toEqual([path, get.status, '']);
      for (const name of ['content-type', 'cache-control', 'transfer-encoding', 'content-length'])
        expect(head.headers.get(name) ?? null).toBe(get.headers.get(name));
    }
  });

  it('answers 503 for a bean that cannot be created, and reports the error', async () => {
    const answer = await fetch(`${await start()}/jig/bean/broken.json`);
    expect([answer.status, await answer.text()]).toEqual([503, expect.not.stringContaining('out of order')]);
    expect(failures).toEqual([new Error('out of order')]);
  });

  it('shows the other beans where the source cannot tell of one', async () => {
    const peek: typeof source.peek = (name) => {
      if (name === 'lazy') throw new Error('out of order');
      return source.peek(name);
    };
    const url = await start({ deny: ['nothing'] }, '', { ...source, peek });
    const pages = ['bean', 'bean.json?find=small', 'bean/small.json', 'bean/small.html', 'graph'];
    for (const page of pages) expect([page, (await fetch(`${url}/jig/${page}`)).status]).toEqual([page, 200]);
    expect((await fetch(`${url}/jig/bean/lazy.json`)).status).toBe(503);
  });

  it('lets a request go whose client leaves while a bean is being created', async () => {
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

  it('closes the connection, and goes on, when not even a problem can be sent', async () => {
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
    ['a foreign host', { host: 'evil.example' }],
    ['a page of another site', { origin: 'http://evil.example' }],
    ['a site that the browser names', { 'sec-fetch-site': 'cross-site' }],
    ['a proxy', { 'x-forwarded-for': '10.0.0.1' }],
  ])('refuses %s on every path, also in XML and as a page', async (_who, headers) => {
    const url = await start();
    for (const path of [
      '/jig/bean',
      '/jig/bean.xml',
      '/jig/bean/small.json',
      '/jig/bean/none.xml',
      '/jig/bean/%zz.json',
    ])
      expect([path, (await request(url, `GET ${path}`, headers)).status]).toEqual([path, 403]);
    expect((await request(url, 'POST /jig/bean', headers)).status).toBe(403);
    const xml = await request(url, 'GET /jig/bean/small.xml', headers);
    expect([xml.headers.get('content-type'), xml.body]).toEqual([
      'application/problem+xml',
      expect.stringContaining('<status>403</status>'),
    ]);
    const page = await request(url, 'GET /jig/bean', { ...headers, accept: 'text/html' });
    expect([page.headers.get('content-type'), page.body]).toEqual([
      'text/html; charset=utf-8',
      expect.stringContaining('<h1>Forbidden</h1>'),
    ]);
  });

  it('asks for the token when there is one, and shows only beans that are open', async () => {
    const token = 'a-token-of-ours';
    const url = await start({ token, deny: ['s*'] });
    const refused = await fetch(`${url}/jig/bean/lazy.json`);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Bearer')]);
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${url}/jig/bean/lazy.json`, { headers })).status).toBe(200);
    expect((await fetch(`${url}/jig/bean/small.json`, { headers })).status).toBe(403);
    expect(await bodyOf(`${url}/jig/bean`, { headers })).not.toContain('small');
  });

  it('takes another prefix, with links below it, also where it is mounted at a path', async () => {
    const url = await start({ prefix: '/admin/internal/' }, '/admin');
    expect(await bodyOf(`${url}/admin/internal/bean/small.json?at=/word`)).toBe('"small"');
    expect(await bodyOf(`${url}/admin/internal/bean.json`)).toContain('"/admin/internal/bean/small.json"');
    expect(await bodyOf(`${url}/admin/internal/bean/none.json`)).toContain('/admin/internal/bean lists all');
    expect(await bodyOf(`${url}/jig/bean`)).toBe('application');
  });

  it.each([
    { prefix: 'jig' },
    { prefix: '/a b' },
    { token: 'short' },
    { create: 'never' as never },
    { createTimeout: 0 },
    { createTimeout: 2 ** 31 },
    { hosts: 'localhost' as never },
    { allow: [1] as never },
    { getters: 'all' as never },
    { instance: 'all' },
    { mcpCharacters: 1 },
    { metrics: { 'a b': { bean: 'a', at: '' } } },
    { views: true as never },
    { watch: [{ bean: 'a', at: 'b' }] },
  ])('refuses the options %o at the start', (options) => {
    expect(() => beanInspection(source, options)).toThrow(/^The option [a-zA-Z]+ of beanInspection must/);
  });

  it('says in a trailer that a long document was cut, and in a header that a short one was', async () => {
    const url = await start();
    const long = await exchange(
      url,
      'GET /jig/bean/big.json?limit=100000 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    );
    expect(long.headers.get('trailer')).toBe('Jig-Truncated');
    expect(long.raw).toMatch(/\r\n0\r\nJig-Truncated: true\r\n\r\n$/);
    expect((await fetch(`${url}/jig/bean/big.json?limit=1`)).headers.get('jig-truncated')).toBe('true');
  });

  it('waits for slow readers, and stops when the client leaves', async () => {
    let ended = 0;
    const handler = beanInspection(source);
    const responses: ServerResponse[] = [];
    const server = createServer((incoming, response) => {
      responses.push(response);
      void handler(incoming, response).then(() => ended++);
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    client.write('GET /jig/bean/big.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(3));
    await expect.poll(() => responses.map((each) => each.writableNeedDrain)).toEqual([true, true, true]);
    expect(ended).toBe(0);
    client.destroy();
    await expect.poll(() => ended).toBe(3);
  });

  it('spends the time that other beans leave in a search on those that need it', async () => {
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

describe('a bean that holds a revoked proxy, as a store does that kept an Immer draft', () => {
  it('keeps no document, page, search, graph, snapshot or tool from being answered', async () => {
    const { proxy, revoke } = Proxy.revocable({ items: [1] }, {});
    const store = { count: 1, last: proxy };
    const url = await startWith({ store, holder: { store }, other: { a: 1 }, revoked: proxy });
    revoke();
    const html = { accept: 'text/html' };
    for (const path of [
      'bean.json',
      'bean.json?find=zzz',
      'bean/store.json',
      'bean/store.xml',
      'bean/store.json?at=/last',
    ])
      expect([path, (await request(url, `GET /jig/${path}`)).status]).toEqual([path, 200]);
    for (const path of ['bean/holder.json?at=/store', 'bean/revoked.json', 'graph.dot', 'metrics', 'watch.json'])
      expect([path, (await request(url, `GET /jig/${path}`)).status]).toEqual([path, 200]);
    for (const path of ['bean', 'bean?find=zzz', 'bean/store.html', 'bean/holder.html', 'bean/revoked.html', 'graph'])
      expect([path, (await request(url, `GET /jig/${path}`, html)).status]).toEqual([path, 200]);
    const kept = await fetch(`${url}/jig/compare.json`, { method: 'POST', body: new URLSearchParams({ wait: '0' }) });
    expect(kept.status).toBe(201);
    expect((await request(url, 'GET /jig/compare.json?from=1')).status).toBe(200);
    for (const [name, given] of [
      ['read_bean', { name: 'store' }],
      ['find', { text: 'zzz' }],
      ['compare_bean', { name: 'store' }],
    ] as const) {
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${url}/jig/mcp`, { method: 'POST', headers, body: JSON.stringify(call) });
      expect(await answer.json()).not.toHaveProperty('error');
    }
    expect(failures).toEqual([]);
  });
});

describe('production', () => {
  it.each(['production', 'Production', 'PRODUCTION'])('shows no beans with NODE_ENV %s', async (environment) => {
    vi.stubEnv('NODE_ENV', environment);
    const url = await start();
    vi.unstubAllEnvs();
    expect((await request(url, 'GET /jig/bean.json')).body).toBe('application');
  });
});
