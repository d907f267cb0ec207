import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { MemorySessionStore } from './memory-session-store.ts';
import { sessionStoreCases } from './store-suite.ts';

const mergeOptions = { limits: { maximumAttributes: 100, maximumBytes: 64 * 1024 }, timeToLive: 30 * 60_000 };
const bounds = { maximumSessions: 1000, maximumBytes: 2 ** 24 };
const entries = new Map([['zoneID', 'UTC']]);

describe('the memory session store', () => {
  it.each(sessionStoreCases)('$name', (storeCase) =>
    storeCase.run(async () => {
      vi.useFakeTimers();
      return {
        store: new MemorySessionStore(bounds),
        release: async () => void vi.useRealTimers(),
        wait: vi.advanceTimersByTimeAsync,
      };
    }),
  );

  it('never holds more sessions than its maximum, and evicts the oldest first', async () => {
    const store = new MemorySessionStore({ ...bounds, maximumSessions: 3 });
    for (const id of ['a', 'b', 'c', 'd', 'e']) store.merge(id, entries, mergeOptions);
    expect(store).toMatchObject({ live: 3, evicted: 2 });
    expect(store.read('b')).toBeUndefined();
    expect(store.read('c')).toBeDefined();
  });

  it.each([
    ['read', (store: MemorySessionStore) => store.read('a')],
    ['touched', (store: MemorySessionStore) => store.touch('a', 60_000)],
    ['merged', (store: MemorySessionStore) => store.merge('a', entries, mergeOptions)],
  ])('treats a session that was %s as recently used', async (_, use) => {
    const store = new MemorySessionStore({ ...bounds, maximumSessions: 2 });
    store.merge('a', entries, mergeOptions);
    store.merge('b', entries, mergeOptions);
    use(store);
    store.merge('c', entries, mergeOptions);
    expect(store.read('a')).toBeDefined();
    expect(store.read('b')).toBeUndefined();
  });

  it('never holds more bytes than its maximum, but always the newest session', async () => {
    const store = new MemorySessionStore({ ...bounds, maximumBytes: 10_000 });
    const big = new Map([['a', 'x'.repeat(4000)]]);
    for (const id of ['a', 'b', 'c']) store.merge(id, big, mergeOptions);
    expect(store.live).toBe(2);
    expect(store.bytes).toBeLessThanOrEqual(10_000);

    store.merge('d', new Map([['a', 'x'.repeat(20_000)]]), mergeOptions);
    expect(store.live).toBe(1);
    expect(store.read('d')?.attributes.get('a')).toHaveLength(20_000);
    store.destroy('d');
    expect(store).toMatchObject({ live: 0, bytes: 0 });
  });

  it('removes expired sessions while it is started, whatever their time to live, also when started twice', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const store = new MemorySessionStore(bounds);
    store.start();
    store.start();
    for (const [id, seconds] of [
      ['long', 600],
      ['short', 20],
      ['longer', 900],
      ['touched', 20],
    ] as const)
      store.merge(id, entries, { ...mergeOptions, timeToLive: seconds * 1000 });
    store.touch('touched', 70_000);
    vi.advanceTimersByTime(30_000);
    expect(store).toMatchObject({ live: 3, evicted: 0 });
    vi.advanceTimersByTime(60_000);
    expect(store.live).toBe(2);
    vi.advanceTimersByTime(540_000);
    expect([store.live, store.read('longer')?.timeLeft]).toEqual([1, 270_000]);
    store.stop();
    store.stop();
    vi.advanceTimersByTime(600_000);
    expect(store.live).toBe(1);
  });

  it('stays within its bounds through 40,000 sessions with strings cut out of large requests', async () => {
    const store = new MemorySessionStore({ ...bounds, maximumSessions: 1e6, maximumBytes: 2 ** 23 });
    const rest = 'x'.repeat(16 * 1024);
    const before = heapAfterCollection();
    for (let count = 0; count < 40_000; count += 1) {
      const body = Buffer.from(
        `${randomBytes(32).toString('base64url')}&zone-of-visitor=Europe/Berlin&${rest}`,
      ).toString();
      store.merge(body.slice(0, 43), new Map([[body.slice(44, 59), body.slice(60, 73)]]), mergeOptions);
    }
    expect(store.live).toBeGreaterThan(5000);
    expect(store.evicted).toBeGreaterThan(5000);
    expect(store.bytes).toBeLessThanOrEqual(2 ** 23);
    expect(heapAfterCollection() - before).toBeLessThan(2 ** 23 * 1.1);
  });
});

function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
