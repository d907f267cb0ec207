import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Feature } from '@jig/application';
import type { BeanSource } from '@jig/bean-inspection';
import { afterEach, describe, expect, it } from 'vitest';
import { startApplication } from '../../packages/application/test-fixtures/running-application.ts';
import beanInspection from '../../packages/bean-inspection/src/add-on.ts';
import { dechunk, request } from '../support/exchange.ts';
import { copyInitialisedHome } from '../support/initialised-home.ts';
import { listBeans } from '../support/list-beans.ts';
import { type ServedBeans, serveBeans } from '../support/serve-beans.ts';
import { startService } from '../support/start-service.ts';

type Headers = Readonly<Record<string, string>>;

const html = { accept: 'text/html' };

/** The first event of a stream. */
async function firstEvent(url: string, more: Headers): Promise<string> {
  const leaving = new AbortController();
  const answer = await fetch(url, { headers: { ...more, accept: 'text/event-stream' }, signal: leaving.signal });
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes('data:') || !answer.ok) break;
  }
  leaving.abort();
  return text;
}

/** What the requests ask for. */
interface Asked {
  /** The names of beans. */
  readonly beans: readonly string[];
  /** What to search for. */
  readonly texts: readonly string[];
  /** Changes the beans between a snapshot and a comparison with it. */
  readonly change?: () => void;
  readonly headers?: Headers;
}

/** Every kind of answer about beans, by its request. */
async function everyAnswer(url: string, { beans, texts, change, headers: more = {} }: Asked) {
  const answers = new Map<string, string>();
  const get = async (path: string, headers: Headers = {}) => {
    const { body } = await request(url, `GET ${path}`, { ...more, ...headers });
    answers.set(`${path} ${headers.accept ?? ''}`, body);
  };
  const tool = async (name: string, given: object) => {
    const params = { name, arguments: given };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const headers = { ...more, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/jig/mcp`, { method: 'POST', headers, body });
    answers.set(body, await answer.text());
  };
  const body = new URLSearchParams({ name: 'before', wait: '0' });
  await fetch(`${url}/jig/compare`, { method: 'POST', headers: more, body });
  change?.();
  for (const path of ['/jig/bean.json', '/jig/bean.xml', '/jig/bean.json?pretty', '/jig/graph.dot', '/jig/graph.mmd'])
    await get(path);
  for (const path of ['/jig/compare.json', '/jig/compare.json?from=before', '/jig/compare.json-patch?from=before'])
    await get(path);
  for (const path of ['/jig/bean', '/jig/graph', '/jig/compare?from=before', '/jig/watch']) await get(path, html);
  for (const name of beans) {
    const path = `/jig/bean/${encodeURIComponent(name)}`;
    for (const form of ['json', 'xml', 'json?depth=3']) await get(`${path}.${form}`);
    for (const form of ['html', 'html?levels=all']) await get(`${path}.${form}`, html);
    for (const form of ['json', 'html'])
      answers.set(`stream of ${name}.${form}`, await firstEvent(`${url}${path}.${form}`, more));
    await get(`/jig/compare.json?from=before&bean=${encodeURIComponent(name)}`);
    await get(`/jig/compare?from=before&bean=${encodeURIComponent(name)}`, html);
    for (const given of [{}, { format: 'xml' }, { depth: 1 }]) await tool('read_bean', { name, ...given });
    await tool('history', { name, at: '' });
    for (const given of [{}, { since: 'before' }]) await tool('compare_bean', { name, ...given });
  }
  for (const text of texts) {
    await get(`/jig/bean.json?find=${encodeURIComponent(text)}`);
    for (const parameter of ['find', 'q']) await get(`/jig/bean?${parameter}=${encodeURIComponent(text)}`, html);
    await tool('find', { text });
    for (const name of ['list_beans', 'read_bean']) await tool(name, { name: text });
  }
  await get('/jig/watch.json');
  await tool('list_beans', {});
  return answers;
}

describe('a bean that is closed', () => {
  let served: ServedBeans;
  afterEach(() => served.close());

  class Strongbox {
    readonly rows = ['gold-bars'];
  }

  function shop() {
    const vault = new Strongbox();
    const vaultKey = () => 'opened';
    const orders = {
      vault,
      count: 1,
      list: [vault, vaultKey],
      map: new Map<unknown, unknown>([
        ['inside', vault],
        [vault, 1],
      ]),
      made: { toJSON: () => vault },
      get lazily() {
        return vault;
      },
    };
    return { vault, vaultKey, orders, stock: { amount: 3 } };
  }

  /** Beans that exist, of which the orders need the others. */
  const sourceOf = (beans: Readonly<Record<string, object>>): BeanSource => ({
    describe: () =>
      Object.entries(beans).map(([name, value]) => ({
        name,
        type: value.constructor.name,
        scope: 'singleton',
        owner: 'shop',
        dependencies: name === 'orders' ? ['vault', 'stock', 'vaultKey'] : [],
        instantiated: true,
      })),
    has: (name) => Object.hasOwn(beans, name),
    peek: (name) => (Object.hasOwn(beans, name) ? { value: beans[name] } : undefined),
    get: async (name) => ({ value: beans[name] }),
  });

  it.each([
    ['deny', { deny: ['vault*'] }],
    ['allow', { allow: ['orders', 'stock'] }],
  ])('by %s is shown nowhere inside a bean that holds it, nor is its name', async (option, rules) => {
    const beans = shop();
    served = await serveBeans(sourceOf(beans), rules);
    const answers = await everyAnswer(served.url, {
      beans: ['orders', 'stock'],
      texts: ['gold', 'Strongbox', 'opened'],
      change: () => beans.orders.count++,
    });
    for (const [asked, body] of answers) {
      // What is searched for is repeated; so is the key under which the bean is held.
      expect([asked, body]).toEqual([
        asked,
        expect.not.stringMatching(/gold-bars|vaultKey|vault","stock|"bean":"vault/),
      ]);
      if (!asked.includes('Strongbox'))
        expect([asked, body]).toEqual([asked, expect.not.stringContaining('Strongbox')]);
    }
    expect(JSON.parse(dechunk(answers.get('/jig/bean/orders.json?depth=3 ') ?? ''))).toEqual({
      vault: '[Closed]',
      count: 2,
      list: ['[Closed]', '[Closed]'],
      map: [
        { key: 'inside', value: '[Closed]' },
        { key: '[Closed]', value: 1 },
      ],
      made: '[Closed]',
      lazily: '[Closed]',
    });
    expect((await fetch(`${served.url}/jig/bean/orders.json?at=/vault/rows`)).status).toBe(404);
    expect((await listBeans(served.url)).map(({ name, dependencies }) => [name, dependencies])).toEqual([
      ['orders', ['stock']],
      ['stock', []],
      ...(option === 'deny' ? [['process', []]] : []),
    ]);
  });

  it('is shown when it is open by another name', async () => {
    const { vault, orders } = shop();
    served = await serveBeans({ vault, orders, safe: vault }, { deny: ['vault'] });
    for (const path of ['safe.json', 'orders.json?at=/vault'])
      expect(await (await fetch(`${served.url}/jig/bean/${path}`)).json()).toEqual({ rows: ['gold-bars'] });
  });

  it('is not shown by the GET that creates it as a dependency', async () => {
    const beans = shop();
    const source = sourceOf(beans);
    let made = false;
    const peek: BeanSource['peek'] = (name) => (made ? source.peek(name) : undefined);
    const get: BeanSource['get'] = (name, context) => {
      made = true;
      return source.get(name, context);
    };
    served = await serveBeans({ ...source, peek, get }, { deny: ['vault*'] });
    const answer = await fetch(`${served.url}/jig/bean/orders.json`);
    expect(await answer.json()).toMatchObject({ vault: '[Closed]', count: 1, lazily: '[Closed]' });
  });
});

const planted = {
  token: 'planted-inspection-token-81723',
  session: 'planted-session-secret-0123456789abcdef',
  environment: 'planted-environment-secret-5512',
};
const headers = { authorization: `Bearer ${planted.token}` };

function expectNone(texts: ReadonlyMap<string, string>, secrets: readonly string[]): void {
  const spellings = secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('base64')]);
  const shown = [...texts].flatMap(([asked, text]) =>
    spellings.filter((spelling) => text.includes(spelling)).map((spelling) => `${asked} shows ${spelling}`),
  );
  expect(shown).toEqual([]);
}

describe('no answer shows a secret', () => {
  it('of the service, its database, flags or environment, nor does the log', async () => {
    const home = await mkdtemp(join(tmpdir(), 'jig-secrets-'));
    // The user that runs the database passes through it.
    await chmod(home, 0o755);
    await copyInitialisedHome(home);
    const service = await startService({
      home,
      environment: {
        JIG_SESSIONS_PREVIOUS_SECRETS: planted.session,
        AWS_SECRET_ACCESS_KEY: planted.environment,
        MY_SETTING: `https://user:${planted.environment}@example.org/`,
      },
      flags: ['--beanInspection.token', planted.token],
    });
    try {
      const files = (await readdir(home, { recursive: true })).filter((file) =>
        /(?:\.password|secret[^/]*)$/.test(file),
      );
      const made = await Promise.all(files.map(async (file) => (await readFile(join(home, file), 'utf8')).trim()));
      // Of the sessions and of the database.
      expect(made.length).toBeGreaterThanOrEqual(2);
      const texts = new Map<string, string>();
      const links = (await listBeans(service.url, headers)).flatMap((bean) => Object.values(bean.links));
      expect(links).toContain('/jig/bean/database.json');
      for (const path of ['/jig/bean.json', '/jig/bean.html', ...links])
        texts.set(path, await (await fetch(service.url + path, { headers })).text());
      texts.set('the log', service.output());
      expectNone(texts, [...Object.values(planted), ...made]);
    } finally {
      await service.stop();
      await rm(home, { recursive: true, force: true });
    }
  });

  it('of an application whose beans hold secrets in texts, bytes, errors and keys', async () => {
    const { session, token } = planted;
    const generated = 'generated-password-4711';
    const bean = {
      note: `the secret is ${session}`,
      bytes: Buffer.from(session),
      list: [session, { deep: new Map([[session, generated]]) }],
      url: `postgres://me:${generated}@host/db`,
      error: new Error(`cannot log in with ${generated}`),
      password: 'some other password',
      get broken(): never {
        throw new Error(session);
      },
    };
    const careless: Feature = {
      name: 'careless',
      register(host) {
        host.secret(generated);
        host.define('careless', { type: 'Careless', create: () => bean });
        host.define('typed', { type: session, create: () => ({}) });
      },
    };
    const flags = [`--beanInspection.token=${token}`, `--sessions.secret=${session}`];
    await using application = await startApplication([beanInspection, careless], flags);
    const answers = await everyAnswer(application.url, {
      beans: ['careless', 'typed'],
      texts: ['secret', session.slice(0, 8), 'host'],
      change: () => bean.list.pop(),
      headers,
    });
    expect(answers.get('/jig/bean/careless.json ')).toContain('the secret is ******');
    expect(answers.get('/jig/bean text/html')).toContain('<code>******</code>');
    expectNone(answers, [token, session, generated, 'some other password']);
  });
});

it('every answer that reads all beans creates none, fires no trap, bears a revoked proxy, and leaves beans unchanged', async () => {
  let created = 0;
  const effects = {
    get created() {
      return created;
    },
  };
  const fail = () => {
    throw new Error('a trap was fired');
  };
  const { proxy: last, revoke } = Proxy.revocable({}, {});
  revoke();
  const thenable = { asked: 0 };
  Object.assign(thenable, Object.fromEntries(new Map([['then', () => void thenable.asked++]])));
  const lazyBeans: Feature = {
    name: 'lazy beans',
    register(host) {
      host.define('effects', { type: 'Effects', create: () => effects });
      host.define('lazy', { type: 'Lazy', create: () => ({ number: ++created }) });
      host.define('trapped', { type: 'Proxy', create: () => new Proxy({}, new Proxy({}, { get: fail })) });
      host.define('thenable', { type: 'Thenable', create: () => thenable });
      // As a store has one that kept a draft of Immer.
      host.define('store', { type: 'Store', create: () => ({ store: { last } }) });
    },
  };
  await using application = await startApplication([beanInspection, lazyBeans]);
  const beans = ['effects', 'trapped', 'thenable', 'store'];
  const state = () =>
    Promise.all(beans.map(async (name) => (await fetch(`${application.url}/jig/bean/${name}.json`)).text()));
  const existing = async () => (await listBeans(application.url)).filter(({ instantiated }) => instantiated);
  // Creates them, and awaits what looks like a promise.
  await state();
  thenable.asked = 0;
  const before = await state();
  const instantiated = (await existing()).map(({ name }) => name);
  for (const [asked, text] of await everyAnswer(application.url, { beans, texts: ['e'] }))
    expect([asked, text]).toEqual([asked, expect.not.stringMatching(/a trap was fired|went wrong|"code":-32603/)]);
  expect((await existing()).map(({ name }) => name)).toEqual(instantiated);
  expect(instantiated).not.toContain('lazy');
  expect(await state()).toEqual(before);
  expect([created, thenable.asked]).toEqual([0, 0]);
});
