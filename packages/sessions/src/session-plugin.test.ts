import fastify from 'fastify';
import { pino } from 'pino';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { SessionError } from './errors.ts';
import { MemorySessionStore } from './memory-session-store.ts';
import { readSessionContent } from './session.ts';
import { SessionManager, Sessions } from './session-manager.ts';
import { sessionPlugin } from './session-plugin.ts';
import type { Awaitable, SessionStore } from './session-store.ts';

const settings = { timeToLive: 30 * 60_000, storeDeadline: 1500, cookieName: 'jig-session' };
const secrets = ['a secret that is long enough for a test'] as const;
const stops: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** The memory store, telling what it was asked, and unwell on demand. */
class WatchedStore implements SessionStore {
  readonly calls: string[] = [];
  fault: 'none' | 'dead' | 'frozen' = 'none';
  /** How far the clock of the store is ahead of ours, in milliseconds. */
  ahead = 0;
  readonly #store = new MemorySessionStore({ maximumSessions: 100, maximumBytes: 2 ** 24 });

  get live() {
    return this.#store.live;
  }

  read(...call: Parameters<SessionStore['read']>) {
    return this.#answer('read', () => {
      const record = this.#store.read(...call);
      return record && { ...record, expires: record.expires + this.ahead };
    });
  }

  merge(...call: Parameters<SessionStore['merge']>) {
    return this.#answer('merge', () => this.#store.merge(...call));
  }

  touch(...call: Parameters<SessionStore['touch']>) {
    return this.#answer('touch', () => this.#store.touch(...call));
  }

  destroy(...call: Parameters<SessionStore['destroy']>) {
    return this.#answer('destroy', () => this.#store.destroy(...call));
  }

  count() {
    return this.#store.count();
  }

  #answer<Result>(call: string, operation: () => Result): Awaitable<Result> {
    this.calls.push(call);
    if (this.fault === 'dead') throw new Error('connect ECONNREFUSED /var/run/store.sock');
    return this.fault === 'frozen' ? new Promise(() => undefined) : operation();
  }
}

async function serve(changes: Partial<typeof settings & { secrets: readonly [string, ...string[]] }> = {}) {
  const store = new WatchedStore();
  const manager = new SessionManager({
    ...settings,
    ...changes,
    storeName: 'memory',
    store,
    secret: changes.secrets ?? secrets,
    log: pino({ enabled: false }),
  });
  const app = fastify({ trustProxy: '127.0.0.1' });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new Map(new URLSearchParams(String(body)))),
  );
  app.setErrorHandler((error, _request, reply) => {
    return reply.code(error instanceof SessionError ? error.statusCode : 500).send(String(error));
  });
  app.register(sessionPlugin, { manager });
  app.get('/untouched', async () => 'hello');
  app.get('/attributes', async ({ session }) => {
    const [first, second] = await Promise.all([session.entries(), session.entries()]);
    expect(second).toBe(first);
    return [...first];
  });
  app.get('/content', async ({ session }) => {
    const content = await readSessionContent(session);
    return { content: [...content], expires: (await session.peek())?.expires };
  });
  app.post('/attributes', async ({ session, body }, reply) => {
    await session.set(body instanceof Map ? body : new Map());
    return reply.redirect('/attributes');
  });
  app.post('/twice', async ({ session }, reply) => {
    reply.header('set-cookie', 'other=1');
    await Promise.all([session.set('a', '1'), session.set('b', '2')]);
    return [...(await session.entries())];
  });
  app.post('/destroy', async ({ session }) => {
    await session.destroy();
    return [...(await session.entries())];
  });
  app.get('/one', async ({ session }) => [await session.get('a'), await session.get('none')]);
  app.post('/number', async ({ session }) => Reflect.apply(session.set.bind(session), undefined, ['a', 1]));
  app.post('/regenerate', async ({ session }) => {
    await session.regenerate();
    return [...(await session.entries())];
  });
  app.post('/stubborn', async ({ session }) => {
    const tries = [() => session.get('a'), () => session.set('a', '2'), () => session.destroy()];
    const outcomes: unknown[] = [];
    for (const attempt of tries) outcomes.push(await Promise.resolve(attempt()).catch(({ code }) => code));
    return outcomes;
  });
  stops.push(() => app.close());
  stops.push(async () => manager.stop());
  const address = await app.listen({ host: '127.0.0.1', port: 0 });

  /** One request without following redirects; `cookie` is what it would bring back next time. */
  async function request(path: string, init: RequestInit & { cookie?: string | undefined } = {}) {
    const headers = new Headers(init.headers);
    if (init.cookie !== undefined) headers.set('cookie', init.cookie);
    const response = await fetch(address + path, { redirect: 'manual', ...init, headers });
    const sent = response.headers.getSetCookie();
    return { status: response.status, text: await response.text(), sent, cookie: sent.at(-1)?.split(';')[0], response };
  }
  const post = (path: string, form: Record<string, string>, init: { cookie?: string | undefined } = {}) =>
    request(path, { method: 'POST', body: new URLSearchParams(form), ...init });
  return { request, post, store, manager, address };
}

describe('a session over HTTP', () => {
  it('begins with the first thing stored, and comes back with its cookie', async () => {
    const { request, post } = await serve();
    const stored = await post('/attributes', { languageTag: 'de', __proto__x: 'y', cookie: 'c', save: 's', '': 'e' });
    expect(stored.status).toBe(302);
    const read = await request('/attributes', { cookie: stored.cookie });
    expect(JSON.parse(read.text)).toEqual([
      ['languageTag', 'de'],
      ['__proto__x', 'y'],
      ['cookie', 'c'],
      ['save', 's'],
      ['', 'e'],
    ]);
  });

  it('sends the cookie with each write, which extends it', async () => {
    const { post } = await serve({ timeToLive: 5000 });
    const { cookie } = await post('/attributes', { n: '0' });
    const { sent } = await post('/attributes', { n: '1' }, { cookie });
    expect(sent).toEqual([expect.stringContaining(`${cookie}; Max-Age=5;`)]);
  });

  it('reads and stores nothing for a request without a cookie', async () => {
    const { request, store } = await serve();
    for (const path of ['/untouched', '/attributes', '/content']) {
      expect((await request(path)).sent).toEqual([]);
    }
    expect(store.calls).toEqual([]);
  });

  it('reads nothing for a request whose handler does not use the session', async () => {
    const { request, post, store } = await serve();
    const { cookie } = await post('/attributes', { a: '1' });
    store.calls.length = 0;
    await request('/untouched', { cookie });
    expect(store.calls).toEqual([]);
  });

  it('reads the store once per request, and sends no cookie while it is fresh', async () => {
    const { request, post, store } = await serve();
    const { cookie } = await post('/attributes', { a: '1' });
    const read = await request('/attributes', { cookie });
    expect(store.calls).toEqual(['merge', 'read']);
    expect(read.sent).toEqual([]);
  });

  it('stores nothing and sends no cookie for an empty form', async () => {
    const { post, store } = await serve();
    const stored = await post('/attributes', {});
    expect(stored).toMatchObject({ status: 302, sent: [] });
    expect(store.calls).toEqual([]);
  });

  it('sends one cookie however often a request stores, and leaves other cookies alone', async () => {
    const { post } = await serve();
    const { sent, text } = await post('/twice', {});
    expect(sent).toEqual(['other=1', expect.stringContaining('jig-session=')]);
    expect(new Map(JSON.parse(text))).toEqual(
      new Map([
        ['a', '1'],
        ['b', '2'],
      ]),
    );
  });

  it('rejects a write above a limit, and stores nothing of it', async () => {
    const { request, post } = await serve();
    const { cookie } = await post('/attributes', { a: '1' });
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key${index}`, '']));
    expect(await post('/attributes', many, { cookie })).toMatchObject({ status: 413, sent: [] });
    const big = await post('/attributes', { big: 'x'.repeat(65 * 1024) }, { cookie });
    expect(big.status).toBe(413);
    expect(big.text).toContain('at most 64 KiB');
    expect(JSON.parse((await request('/attributes', { cookie })).text)).toEqual([['a', '1']]);
  });

  it('ends when destroyed, and the cookie is deleted', async () => {
    const { request, post, store } = await serve();
    const { cookie } = await post('/attributes', { a: '1' });
    const destroyed = await post('/destroy', {}, { cookie });
    expect(destroyed.sent).toEqual(['jig-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax']);
    expect(destroyed.text).toBe('[]');
    expect((await request('/attributes', { cookie })).text).toBe('[]');
    expect(store.live).toBe(0);
    expect((await post('/destroy', {})).sent).toEqual([]);
  });

  it('returns one attribute by its name, and accepts strings only', async () => {
    const { request, post } = await serve();
    const { cookie } = await post('/attributes', { a: '1' });
    expect((await request('/one', { cookie })).text).toBe('["1",null]');
    expect((await request('/one')).text).toBe('[null,null]');
    expect((await post('/number', {}, { cookie })).text).toContain('set(name, String(value))');
  });

  it('moves to a new id when regenerated', async () => {
    const { request, post, store } = await serve();
    const { cookie } = await post('/attributes', { a: '1' });
    const renewed = await post('/regenerate', {}, { cookie });
    expect(renewed.text).toBe('[["a","1"]]');
    expect(renewed.cookie).not.toBe(cookie);
    expect((await request('/attributes', { cookie })).text).toBe('[]');
    expect((await request('/attributes', { cookie: renewed.cookie })).text).toBe('[["a","1"]]');
    expect(store.live).toBe(1);
    expect((await post('/regenerate', {})).sent).toEqual([]);
  });

  it('is extended by reading now and then, with a new cookie, and not by peek', async () => {
    // Time stands still, so that the requests of the burst come at the same moment on a slow machine too.
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { request, post, store } = await serve({ timeToLive: 3000 });
    const { cookie } = await post('/attributes', { a: '1' });
    const content = async () => JSON.parse((await request('/content', { cookie })).text);
    const { expires } = await content();
    vi.advanceTimersByTime(400);

    expect((await content()).expires).toBe(expires);
    expect(store.calls).not.toContain('touch');
    const burst = await Promise.all(Array.from({ length: 10 }, () => request('/attributes', { cookie })));
    expect(burst.flatMap(({ sent }) => sent)).toEqual([expect.stringContaining(`${cookie}; Max-Age=3;`)]);
    expect(store.calls.filter((call) => call === 'touch')).toHaveLength(1);
    expect((await content()).expires).toBe(expires + 400);
  });

  it.each([-3, 3])('is extended by the clock of the store, which is %i hours ahead of ours', async (hours) => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { request, post, store } = await serve({ timeToLive: 3000 });
    store.ahead = hours * 3_600_000;
    const { cookie } = await post('/attributes', { a: '1' });
    await request('/attributes', { cookie });
    expect(store.calls).not.toContain('touch');
    for (let seconds = 0; seconds < 10; seconds += 1) {
      vi.advanceTimersByTime(1000);
      expect((await request('/attributes', { cookie })).text).toBe('[["a","1"]]');
    }
    expect(store.calls.filter((call) => call === 'touch')).toHaveLength(10);
  });

  it('is a bean that shows its content, or that there is none', async () => {
    const { request, post } = await serve();
    expect(JSON.parse((await request('/content')).text)).toEqual({ content: [] });
    const { cookie } = await post('/attributes', { a: '1' });
    expect(JSON.parse((await request('/content', { cookie })).text)).toMatchObject({ content: [['a', '1']] });
  });

  it('is counted among all sessions, without its content', async () => {
    const { request, post, manager } = await serve();
    const { cookie } = await post('/attributes', { a: 'private' });
    await post('/attributes', { b: 'private' }, { cookie });
    await request('/attributes', { cookie });
    const sessions = await Sessions.of(manager);
    expect(sessions).toMatchObject({
      store: 'memory',
      available: true,
      live: 1,
      timeToLive: 1_800_000,
      limits: { maximumAttributes: 100, maximumBytes: 65_536 },
      counters: { created: 1, read: 1, stored: 2, refused: 0, destroyed: 0, failed: 0 },
    });
  });
});

describe('the session cookie', () => {
  it('is signed, HttpOnly and Lax, and keeps the answer out of caches', async () => {
    const { post } = await serve();
    const { sent, response } = await post('/attributes', { a: '1' });
    expect(sent).toEqual([
      expect.stringMatching(/^jig-session=[\w-]{43}\.[\w+/]{43}; Max-Age=1800; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('is Secure and bound to the host over HTTPS, where the plain one is ignored', async () => {
    const { request, post } = await serve();
    const https = { 'x-forwarded-proto': 'https' };
    const body = new URLSearchParams({ a: '1' });
    const { sent, cookie } = await request('/attributes', { method: 'POST', body, headers: https });
    expect(sent).toEqual([expect.stringMatching(/^__Host-jig-session=.*; Path=\/; HttpOnly; SameSite=Lax; Secure$/)]);
    expect((await request('/attributes', { cookie, headers: https })).text).toBe('[["a","1"]]');
    const plain = await post('/attributes', { a: '1' });
    expect((await request('/attributes', { cookie: plain.cookie, headers: https })).text).toBe('[]');
  });

  it('is found among other cookies, whatever they contain', async () => {
    const { request, post } = await serve();
    const { cookie } = await post('/attributes', { a: '1' });
    for (const header of [
      `x=1; ${cookie}; y=2`,
      `x-jig-session=no; ${cookie}`,
      `${cookie} ;x=1`,
      `x=1;${cookie}`,
      `=; ;;%; __proto__=1; ${cookie}`,
      `jig-session; ${cookie}`,
    ]) {
      expect((await request('/attributes', { cookie: header })).text, header).toBe('[["a","1"]]');
    }
  });

  it('is ignored when malformed, forged, oversized or repeated, without reading the store', async () => {
    const { request, post, store } = await serve();
    const stored = await post('/attributes', { a: '1' });
    const cookie = String(stored.cookie);
    const other = await post('/attributes', { a: '2' });
    const stranger = await serve({ secrets: ['another secret, as long as it needs to be'] });
    const forged = await stranger.post('/attributes', { a: '3' });
    const [id = '', signature = ''] = cookie.split('=')[1]?.split('.') ?? [];
    store.calls.length = 0;
    for (const header of [
      'jig-session=',
      'jig-session',
      'jig-session=.',
      'jig-session=__proto__',
      `jig-session=${id}`,
      `jig-session=${id}.`,
      `jig-session=.${signature}`,
      `jig-session=${id}.${signature}=`,
      `jig-session="${id}.${signature}"`,
      `jig-session=${id.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}.${signature}`,
      `jig-session=${id}.${signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`,
      `jig-session=${'x'.repeat(7000)}`,
      `JIG-SESSION=${id}.${signature}`,
      `${cookie}; ${other.cookie}`,
      `${cookie}; ${cookie}`,
      String(forged.cookie),
    ]) {
      const read = await request('/attributes', { cookie: header });
      expect(read, header).toMatchObject({ status: 200, text: '[]', sent: [] });
    }
    expect(store.calls).toEqual([]);
  });

  it('stays valid after a change of the secret while the old one is accepted', async () => {
    const before = await serve();
    const { cookie } = await before.post('/attributes', { a: '1' });
    const after = await serve({ secrets: ['a new secret that is long enough for a test', ...secrets] });
    await after.request('/attributes', { cookie });
    expect(after.store.calls).toEqual(['read']);
  });
});

describe('a session whose store is unwell', () => {
  it.each(['dead', 'frozen'] as const)(
    'is unavailable within the deadline when the store is %s, then at once, until it recovers',
    async (fault) => {
      const { request, post, store, manager } = await serve({ storeDeadline: 300 });
      const { cookie } = await post('/attributes', { a: '1' });
      store.fault = fault;
      store.calls.length = 0;

      const burst = await Promise.all(Array.from({ length: 20 }, () => request('/attributes', { cookie })));
      expect(new Set(burst.map(({ status }) => status))).toEqual(new Set([503]));
      expect(burst[0]?.text).not.toContain('store.sock');
      expect(await post('/attributes', { a: '2' }, { cookie })).toMatchObject({ status: 503, sent: [] });
      expect(await request('/untouched', { cookie })).toMatchObject({ status: 200 });
      expect(await request('/attributes')).toMatchObject({ status: 200 });
      expect(await manager.health()).toEqual({ ok: false, state: 'unavailable', details: { store: 'memory' } });
      expect(await Sessions.of(manager)).toMatchObject({ available: false, live: null });

      const asked = store.calls.length;
      await Promise.all(Array.from({ length: 50 }, () => request('/attributes', { cookie })));
      expect(store.calls.length - asked, 'only probes reach it').toBeLessThan(25);

      store.fault = 'none';
      await expect.poll(async () => (await request('/attributes', { cookie })).status).toBe(200);
      expect((await request('/attributes', { cookie })).text).toBe('[["a","1"]]');
      expect(await manager.health()).toMatchObject({ ok: true, state: 'ready' });
    },
  );

  it.each([
    ['frozen', 'once', ['read']],
    ['dead', 'each time', ['read', 'merge', 'destroy']],
  ] as const)('is probed by one request, when it is %s, %s', async (fault, _often, asked) => {
    const { post, store } = await serve({ storeDeadline: 100 });
    const { cookie } = await post('/attributes', { a: '1' });
    store.fault = fault;
    store.calls.length = 0;
    const { text } = await post('/stubborn', {}, { cookie });
    expect(JSON.parse(text)).toEqual(Array(3).fill('JIG_SESSION_STORE_UNAVAILABLE'));
    // A probe may read and merge in between, and never destroys what it could not store.
    expect([...new Set(store.calls)]).toEqual(asked);
  });

  it('tolerates one or two failures', async () => {
    const { request, post, store } = await serve();
    const { cookie } = await post('/attributes', { a: '1' });
    for (let round = 0; round < 5; round += 1) {
      store.fault = 'dead';
      expect((await request('/attributes', { cookie })).status).toBe(503);
      expect((await request('/attributes', { cookie })).status).toBe(503);
      store.fault = 'none';
      expect((await request('/attributes', { cookie })).status).toBe(200);
    }
  });
});

describe('the session plugin, registered with an invalid option', () => {
  const secret = secrets[0];

  it.each([
    [
      'a short secret',
      { secret: 'short' },
      'The option secret of the sessions must be a string of at least 32 characters',
    ],
    ['no time to live', { secret, timeToLive: 0 }, 'The option timeToLive of the sessions must be a number'],
    [
      'a store that cannot merge',
      { secret, store: { read() {} } as never },
      'The option store of the sessions must be a session store; custom has no merge, touch, destroy, count.',
    ],
  ])('rejects with one sentence: %s', async (_, options, sentence) => {
    const app = fastify();
    stops.push(() => app.close());
    await expect(async () => app.register(sessionPlugin, options)).rejects.toThrow(sentence);
  });
});
