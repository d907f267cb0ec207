import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { DamagedSessionError } from './errors.ts';
import { GuardedSessionStore } from './guarded-session-store.ts';
import { MemorySessionStore } from './memory-session-store.ts';
import { SessionManager } from './session-manager.ts';
import type { SessionStore } from './session-store.ts';

const options = { limits: { maximumAttributes: 10, maximumBytes: 1000 }, timeToLive: 60_000 };
const entries = new Map([['zoneID', 'UTC']]);

/** A store over a network, as it were: every answer is a promise, and some calls are refused. */
class RefusingStore implements SessionStore {
  readonly #store = new MemorySessionStore({ maximumSessions: 100, maximumBytes: 2 ** 20 });
  /** What is refused, by the session's id. */
  refusesWrite: (id: string) => boolean = () => false;
  isDead = false;
  /** The id of a session that cannot be read or merged. */
  damagedId: string | undefined;
  writes = 0;

  async read(id: string) {
    this.#live();
    if (id === this.damagedId) throw new DamagedSessionError('not a session');
    return this.#store.read(id);
  }

  async merge(...[id, ...rest]: Parameters<SessionStore['merge']>) {
    this.#live();
    this.writes += 1;
    if (id === this.damagedId) throw new DamagedSessionError('not a session');
    if (this.refusesWrite(id)) throw new Error('No space left on device');
    return this.#store.merge(id, ...rest);
  }

  async touch(id: string, timeToLive: number) {
    this.#live();
    this.#store.touch(id, timeToLive);
  }

  async destroy(id: string) {
    this.#live();
    this.#store.destroy(id);
  }

  async count() {
    this.#live();
    return this.#store.count();
  }

  #live() {
    if (this.isDead) throw new Error('Connection refused');
  }
}

describe('a session store that refuses writes', () => {
  let store: RefusingStore;
  let manager: SessionManager;
  let lines: string[];

  beforeEach(() => {
    vi.useFakeTimers();
    store = new RefusingStore();
    lines = [];
    manager = new SessionManager({
      storeName: 'shelf',
      store,
      timeToLive: 60_000,
      storeDeadline: 1000,
      secret: 'a secret that is long enough for a test',
      log: {
        info: (text: string) => void lines.push(text),
        warn: (_: object, text: string) => void lines.push(text),
      },
    });
  });

  afterEach(() => {
    manager.stop();
    vi.useRealTimers();
  });

  const merge = async (id: string) => manager.store.merge(id, entries, options);
  const refused = { code: 'JIG_SESSION_STORE_UNAVAILABLE' };
  const says = 'the session store refuses writes';
  const wait = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

  it('is still read, while writes are rejected at once and health reports it', async () => {
    await merge('one');
    store.refusesWrite = () => true;
    await expect(merge('one')).rejects.toMatchObject(refused);
    await wait(0);
    const asked = store.writes;
    for (let count = 0; count < 20; count += 1) await expect(merge('one')).rejects.toMatchObject(refused);
    expect(store.writes).toBe(asked);
    expect((await manager.store.read('one'))?.attributes).toEqual(entries);
    expect(await manager.health()).toEqual({
      ok: false,
      state: 'refuses writes',
      details: { store: 'shelf', meaning: expect.stringContaining('nothing can be stored') },
    });
    await manager.store.destroy('one');
    expect(await manager.store.count()).toBe(0);
  });

  it('is noticed by health when nobody writes', async () => {
    expect(await manager.health()).toMatchObject({ ok: true });
    expect(await manager.store.count()).toBe(0);
    store.refusesWrite = () => true;
    await wait(20_000);
    expect(await manager.health()).toMatchObject({ ok: false, state: 'refuses writes' });
    store.refusesWrite = () => false;
    await wait(20_000);
    expect(await manager.health()).toMatchObject({ ok: true });
  });

  it('is noticed by health, also when it answers without a promise, as one on SQLite', async () => {
    store.read = (() => undefined) as unknown as typeof store.read;
    expect(await manager.health()).toMatchObject({ ok: true });
    store.refusesWrite = () => true;
    await wait(20_000);
    expect(await manager.health()).toMatchObject({ ok: false, state: 'refuses writes' });
  });

  it('is noticed as soon as otherwise when the clock of the machine was set back', async () => {
    expect(await manager.health()).toMatchObject({ ok: true });
    vi.setSystemTime(Date.now() - 3_600_000);
    store.refusesWrite = () => true;
    await expect(merge('one')).rejects.toMatchObject(refused);
    await wait(1000);
    expect(await manager.health()).toMatchObject({ ok: false, state: 'refuses writes' });
  });

  it('is written to by health only now and then', async () => {
    for (let count = 0; count < 100; count += 1) await manager.health();
    expect(store.writes).toBe(1);
  });

  it('is logged once, and its recovery once, while reads and writes continue', async () => {
    await merge('old');
    // As on a full disk: what is there can be changed in its place, and nothing can be added.
    store.refusesWrite = (id) => id !== 'old';
    const go = async (seconds: number) => {
      for (let tenths = 0; tenths < seconds * 10; tenths += 1) {
        await Promise.allSettled([merge(`new ${tenths}`), merge('old'), manager.store.read('old'), manager.health()]);
        await wait(100);
      }
    };
    await go(60);
    expect(lines).toEqual([expect.stringMatching(`^${says}.*No space left on device$`)]);
    store.refusesWrite = () => false;
    await go(10);
    expect(lines.slice(1)).toEqual(['the session store takes writes again']);
    await merge('new');
  });

  it('accepts writes again soon after each recovery', async () => {
    for (let count = 0; count < 10; count += 1) {
      store.refusesWrite = () => true;
      await Promise.allSettled([merge('one')]);
      await wait(5000);
      expect(manager.store.state).toBe('refuses writes');
      store.refusesWrite = () => false;
      await wait(2000);
      expect(await merge('one')).toBe('stored');
    }
    await wait(10_000);
    expect(lines.at(-1)).toBe('the session store takes writes again');
  });

  it('is down when reads fail too, and the state says which', async () => {
    store.isDead = true;
    await expect(merge('one')).rejects.toMatchObject(refused);
    await wait(0);
    expect(await manager.health()).toEqual({ ok: false, state: 'unavailable', details: { store: 'shelf' } });
    expect(lines).toEqual([expect.stringMatching(/^the session store does not answer.*Connection refused$/)]);
    store.isDead = false;
    store.refusesWrite = () => true;
    await wait(3000);
    expect(await manager.health()).toMatchObject({ state: 'refuses writes' });
    store.refusesWrite = () => false;
    await wait(3000);
    expect(await manager.health()).toMatchObject({ ok: true });
    expect(lines.map((line) => line.split(/[;:]/)[0])).toEqual([
      'the session store does not answer',
      says,
      'the session store takes writes again',
    ]);
  });

  it('is not probed when it is in this process, where a probe would evict a session', async () => {
    const memory = new MemorySessionStore({ maximumSessions: 1, maximumBytes: 2 ** 20 });
    const guarded = new GuardedSessionStore(memory, { deadline: 1000, log: { info() {}, warn() {} } });
    await guarded.merge('one', entries, options);
    await wait(20_000);
    expect([await guarded.check(), await guarded.check()]).toEqual(['ready', 'ready']);
    expect(memory.read('one')?.attributes).toEqual(entries);
  });

  it('does not count a damaged session as a failure, however often it is used', async () => {
    await merge('one');
    store.damagedId = 'damaged';
    for (let count = 0; count < 20; count += 1) {
      await expect(manager.store.read('damaged')).rejects.toMatchObject(refused);
      await expect(merge('damaged')).rejects.toMatchObject(refused);
      expect(manager.store.state).toBe('ready');
    }
    expect((await manager.store.read('one'))?.attributes).toEqual(entries);
    await wait(5000);
    expect(lines).toEqual([]);
    expect(store.writes).toBe(21);
  });

  it('does not count a single failed write as an outage', async () => {
    store.refusesWrite = (id) => id === 'cursed';
    for (let count = 0; count < 10; count += 1) {
      await expect(merge('cursed')).rejects.toMatchObject(refused);
      await wait(500);
      expect(await merge('one')).toBe('stored');
    }
    expect(lines).toEqual([]);
    expect(store.writes).toBeLessThan(40);
  });
});

describe('the deadline of a guarded store', () => {
  const log = { info() {}, warn() {} };
  const late = { code: 'JIG_SESSION_STORE_UNAVAILABLE', message: 'The session store did not answer within 60 ms.' };

  /** A store whose reads are answered by the test, or never. */
  function guardedStore(deadline: number) {
    const answers = new Map<string, () => void>();
    const never = () => new Promise<never>(() => {});
    const read = (id: string) => new Promise<undefined>((resolve) => answers.set(id, () => resolve(undefined)));
    const store = { read, merge: never, touch: never, destroy: never, count: never };
    return { answers, guarded: new GuardedSessionStore(store, { deadline, log }) };
  }

  it('ends each call after its own span, in the order they began, and again after a pause', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { answers, guarded } = guardedStore(60);
    const began = performance.now();
    const ended: [id: string, after: number][] = [];
    const failures: unknown[] = [];
    const wait = async (id: string) => {
      await Promise.resolve(guarded.read(id)).catch((failure: unknown) => failures.push(failure));
      // A timer may come a millisecond later, never earlier.
      ended.push([id, Math.floor((performance.now() - began) / 10) * 10]);
    };
    void wait('a');
    void wait('b');
    answers.get('b')?.();
    await vi.advanceTimersByTimeAsync(20);
    void wait('c');
    expect(ended).toEqual([['b', 0]]);
    await vi.advanceTimersByTimeAsync(80);
    answers.get('a')?.();
    void wait('d');
    await vi.advanceTimersByTimeAsync(1000);
    const ends = { b: 0, a: 60, c: 80, d: 160 };
    expect(ended).toEqual(Object.entries(ends));
    expect(failures).toEqual([late, late, late].map((each) => expect.objectContaining(each)));
    guarded.stop();
  });
});
