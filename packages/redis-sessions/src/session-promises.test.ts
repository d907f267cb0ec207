import { MemorySessionStore, type Session, type SessionStore, sessionPlugin } from '@jig/sessions';
import fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RedisServer } from '../test-fixtures/redis-server.ts';
import { RedisConnection } from './redis-connection.ts';
import { RedisSessionStore } from './redis-session-store.ts';

/** A store, and what takes it down. */
interface Given {
  readonly store: SessionStore;
  readonly takeDown: () => Promise<void>;
}

async function inMemory(): Promise<Given> {
  const memory = new MemorySessionStore({ maximumSessions: 10, maximumBytes: 2 ** 20 });
  let isDown = false;
  const store = new Proxy(memory, {
    get(target, name) {
      if (isDown) throw new Error('down');
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  return {
    store,
    takeDown: async () => {
      isDown = true;
    },
  };
}

async function inRedis(): Promise<Given> {
  const server = await RedisServer.start();
  const log = { info() {}, warn() {} };
  const redis = new RedisConnection({ url: server.url, connectTimeout: 5000, commandTimeout: 5000, log });
  onTestFinished(async () => {
    redis.stop();
    await server.stop();
  });
  await redis.start();
  return { store: new RedisSessionStore(redis, { prefix: 'jig:session:' }), takeDown: () => server.stop() };
}

type Call = (session: Session) => unknown;

const refusedCalls: readonly Call[] = [
  (session) => session.set('c', 3 as never),
  (session) => session.set('d', 'x'.repeat(70_000)),
];

const calls: readonly Call[] = [
  (session) => session.get('none'),
  (session) => session.set('a', '1'),
  (session) => session.set(new Map([['b', '2']])),
  (session) => session.get('a'),
  async (session) => Object.fromEntries(await session.entries()),
  async (session) => (await session.peek())?.attributes.size,
  (session) => session.regenerate(),
  (session) => session.get('b'),
  (session) => session.destroy(),
  (session) => session.get('a'),
];

describe.each([
  ['memory', inMemory],
  ['Redis', inRedis],
])('a session in %s', (_name, given) => {
  it('returns a promise from every call, which rejects if the call is refused or the store is down', async () => {
    const { store, takeDown } = await given();
    const app = fastify();
    onTestFinished(() => app.close());
    await app.register(sessionPlugin, { secret: 'a secret that is long enough for a test', store });
    const outcomesOf = async (session: Session, made: readonly Call[]) => {
      const outcomes: unknown[] = [];
      for (const call of made) {
        const promise = call(session);
        expect(promise).toBeInstanceOf(Promise);
        outcomes.push((await (promise as Promise<unknown>).catch(({ code, name }) => code ?? name)) ?? null);
      }
      return outcomes;
    };
    app.get('/refused', async ({ session }) => outcomesOf(session, refusedCalls));
    app.get('/', async ({ session }) => outcomesOf(session, calls));
    app.get('/begin', async ({ session }) => session.set('a', '1'));
    const ask = async (url: string, cookie = '') => app.inject({ url, headers: { cookie } });

    expect((await ask('/refused')).json()).toEqual(['TypeError', 'JIG_SESSION_TOO_BIG']);
    expect((await ask('/')).json()).toEqual([null, null, null, '1', { a: '1', b: '2' }, 2, null, '2', null, null]);

    const cookie = String((await ask('/begin')).headers['set-cookie']).split(';')[0];
    await takeDown();
    // What was destroyed is gone for this request, whatever the store says.
    const unavailable = calls.map((_, index) => (index < calls.length - 1 ? 'JIG_SESSION_STORE_UNAVAILABLE' : null));
    expect((await ask('/', cookie)).json()).toEqual(unavailable);
  });
});
