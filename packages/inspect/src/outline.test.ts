import { describe, expect, it } from 'vitest';
import { Masking } from './masking/masking.ts';
import { outline } from './outline.ts';
import { builtInViews } from './views/built-in-views.ts';

const rowsOf = (value: unknown, options = {}) =>
  Object.fromEntries(
    outline(value, options).entries.map(({ key, kind, type, preview }) => [key, [kind, type, preview]]),
  );

describe('an outline', () => {
  it('has kind, type and preview of every kind of value', () => {
    class Money {
      toJSON() {
        return '5 EUR';
      }
    }
    const value = {
      text: 'Ada',
      number: 36,
      none: Number.NaN,
      big: 12n,
      yes: true,
      nothing: undefined,
      born: new Date(0),
      bytes: Buffer.from('hello'),
      symbol: Symbol('s'),
      pattern: /a/g,
      promise: Promise.resolve(1),
      money: new Money(),
      list: [1, 'two', { three: 3 }, 4],
      map: new Map<unknown, unknown>([
        ['a', 1],
        ['token', 'planted'],
      ]),
      set: new Set([() => 1]),
      dictionary: Object.assign(Object.create(null), { on: Number, off: 1 }),
      error: new TypeError('wrong'),
    };
    expect(rowsOf(value)).toEqual({
      text: ['string', 'String', 'Ada'],
      number: ['number', 'Number', '36'],
      none: ['number', 'Number', 'NaN'],
      big: ['bigint', 'BigInt', '12'],
      yes: ['boolean', 'Boolean', 'true'],
      nothing: ['null', 'Null', 'null'],
      born: ['date', 'Date', '1970-01-01T00:00:00.000Z'],
      bytes: ['binary', 'Buffer', 'aGVsbG8='],
      symbol: ['symbol', 'Symbol', 'Symbol(s)'],
      pattern: ['other', 'RegExp', '/a/g'],
      promise: ['other', 'Promise', '[Promise]'],
      money: ['string', 'Money', '5 EUR'],
      list: ['array', 'Array', '[1, "two", Object, …]'],
      map: ['map', 'Map', '{ a → 1, token → ****** }'],
      set: ['set', 'Set', '[[Function]]'],
      dictionary: ['object', 'Object', '{ on: [Function Number], off: 1 }'],
      error: ['object', 'TypeError', '{ name: "TypeError", message: "wrong" }'],
    });
  });

  it('distinguishes markers from equal strings', () => {
    const value: Record<string, unknown> & { self?: unknown; looksLike?: unknown } = {
      password: 'hunter2',
      looksMasked: '******',
      known: 'planted-secret',
      get threw() {
        throw new RangeError('no');
      },
      looksThrown: '[Threw RangeError: no]',
      looksDeep: '[Depth limit]',
      inner: { deep: {} },
      hidden: 'by a rule',
    };
    value.self = value;
    value.looksLike = '[Reference /]';
    const masking = new Masking({ secrets: ['planted-secret'], mask: ({ key }) => key === 'hidden' });
    const { entries } = outline(value, { masking, levels: 2, depth: 2 });
    expect(entries.map(({ key, kind, target }) => [key, kind, target])).toEqual([
      ['password', 'masked', undefined],
      ['looksMasked', 'string', undefined],
      ['known', 'masked', undefined],
      ['threw', 'threw', undefined],
      ['looksThrown', 'string', undefined],
      ['looksDeep', 'string', undefined],
      ['inner', 'object', undefined],
      ['hidden', 'masked', undefined],
      ['self', 'reference', ''],
      ['looksLike', 'string', undefined],
    ]);
    expect(entries[6]?.entries?.entries.map(({ kind, canOpen }) => [kind, canOpen])).toEqual([['limit', true]]);
    expect(JSON.stringify(entries)).not.toMatch(/hunter2|planted|by a rule/);
    expect(outline(value, { masking, at: '/password' })).toMatchObject({ kind: 'masked', text: '******', entries: [] });
    expect(outline(value, { masking, at: '/threw' })).toMatchObject({ kind: 'threw', text: '[Threw RangeError: no]' });
  });

  it('opens levels and pointers, closes others, and skips entries of each', () => {
    const value = { a: { b: { c: 1 } }, list: [[1, 2, 3], [4]] };
    const { entries } = outline(value, { levels: 2, open: ['/list/0'], close: ['/a'], pages: { '/list/0': 2 } });
    expect(entries[0]).toMatchObject({ key: 'a', size: 1, canOpen: true });
    expect(entries[0]).not.toHaveProperty('entries');
    const [first, second] = entries[1]?.entries?.entries ?? [];
    expect(first?.entries).toMatchObject({ pointer: '/list/0', from: 2, size: 3, hasMore: false });
    expect(first?.entries?.entries.map(({ pointer }) => pointer)).toEqual(['/list/0/2']);
    expect(second).not.toHaveProperty('entries');
  });

  it('shows the name of an object from the option names, unless it is masked', () => {
    const pool = { idle: 2 };
    const names = new Map<object, string>([[pool, 'connectionPool']]);
    const { entries } = outline({ pool, hidden: pool, other: { idle: 2 } }, { names, mask: ['hidden'] });
    expect(entries.map(({ kind, name }) => [kind, name])).toEqual([
      ['object', 'connectionPool'],
      ['masked', undefined],
      ['object', undefined],
    ]);
  });

  it('reads only what it shows: entry 999,900 of a million costs a hundred', () => {
    let reads = 0;
    const list: unknown[] = [];
    for (const index of [0, 500_000, 999_899, 999_900, 999_999])
      Object.defineProperty(list, index, { get: () => `read ${++reads} times`, enumerable: true });
    const { entries, hasMore } = outline({ list }, { at: '/list', from: 999_900 });
    expect([entries.length, entries[0]?.preview, entries[99]?.preview, hasMore]).toEqual([
      100,
      'read 1 times',
      'read 2 times',
      false,
    ]);
    expect(outline({ list }, { at: '/list', from: 2_000_000 })).toMatchObject({ entries: [], hasMore: false });
    const map = new Map(Array.from({ length: 100_000 }, (_, index) => [`key ${index}`, index]));
    expect(outline(map, { from: 99_999 }).entries.map(({ key }) => key)).toEqual(['key 99999']);
    const set = new Set(map.keys());
    expect(outline(set, { from: 99_998, limit: 1 })).toMatchObject({ entries: [{ key: '99998' }], hasMore: true });
  });

  it('calls no getter of a closed container, fires no trap, and handles promises that getters create', () => {
    const trap = () => expect.unreachable();
    const proxy = new Proxy({}, { get: trap, ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap });
    const value = {
      closed: Object.defineProperty({}, 'counted', { get: trap, enumerable: true }),
      proxies: [proxy],
      inheriting: Object.create(proxy) as object,
      get rejected() {
        return Promise.reject(new Error('only by looking'));
      },
    };
    expect(rowsOf(value)).toEqual({
      closed: ['object', 'Object', '{}'],
      proxies: ['array', 'Array', '[Proxy]'],
      inheriting: ['object', 'Object', '{}'],
      rejected: ['limit', 'getter', '[Promise]'],
    });
  });

  it('returns a long string whole on request, and masks a secret that the limit would truncate', () => {
    const text = `${'x'.repeat(140)}planted-secret and more`;
    const [row] = outline({ text }, { secrets: ['planted-secret'] }).entries;
    expect(row).toMatchObject({ isCut: true, size: 155, preview: `${'x'.repeat(140)}****** and` });
    const whole = outline({ text }, { at: '/text', secrets: ['planted-secret'] });
    expect(whole).toMatchObject({ kind: 'string', text: `${'x'.repeat(140)}****** and more`, hasMore: false });
    expect(outline({ text }, { at: '/text', text: 150 })).toMatchObject({ hasMore: true });
  });

  it('does not offer to open values that at cannot lead to', () => {
    const pools = new Map([['postgres://me:planted@db/', { size: 1 }]]);
    const [row] = outline(pools).entries;
    expect(row).toMatchObject({ key: 'postgres://******@db/', canOpen: false, size: 1 });
    expect(outline({ empty: {}, list: [] }).entries.map(({ canOpen }) => canOpen)).toEqual([false, false]);
  });

  it('stops opening at its number of rows, and stops at the end of its budget', () => {
    const value = Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => [1]));
    const { entries } = outline(value, { levels: 3, rows: 100 });
    expect(entries.length).toBe(50);
    expect(entries.filter((entry) => entry.entries !== undefined).length).toBeLessThan(5);
    expect(outline(value, { budget: 0 })).toMatchObject({ entries: [], hasMore: true });
  });

  it('has the glance of its value, but not behind a secret key', () => {
    const pool = { _clients: [1, 2], _idle: [1], _pendingQueue: [], options: { max: 5, database: 'swordfish-77' } };
    const bean = { pool, password: { pool }, note: 'swordfish-77' };
    const lineAt = (at: string, views = builtInViews) => outline(bean, { at, views, glance: true }).glance?.line;
    expect(lineAt('/pool')).toBe('2 of 5 connections, 1 in use, 1 idle, 0 waiting');
    expect(lineAt('')).toBeUndefined();
    expect(lineAt('/note')).toBeUndefined();
    expect(lineAt('/password')).toBeUndefined();
    expect(lineAt('/pool', [])).toBeUndefined();
    expect(outline(bean, { at: '/pool', views: builtInViews })).not.toHaveProperty('glance');
    const { glance } = outline({ ...bean, apiKey: 'swordfish-77' }, { at: '/pool', glance: true });
    expect(glance?.readings.find(({ name }) => name === 'database')?.value).toBe('******');
  });

  it('reports that a class has private fields', () => {
    class Counter {
      #count = 1;
      next() {
        return this.#count++;
      }
    }
    class Compiled {
      /** As compilers write it for older targets. */
      next() {
        return Reflect.get(globalThis, '_classPrivateFieldGet');
      }
    }
    class Named extends Counter {
      name = 'Ada';
    }
    const bean = {
      counter: new Counter(),
      named: new Named(),
      compiled: new Compiled(),
      none: new (class {})(),
      plain: {},
    };
    const { entries } = outline({ ...bean, hidden: new new Proxy(Counter, {})() });
    const marked = entries.filter(({ hasPrivateFields }) => hasPrivateFields).map(({ key }) => key);
    expect(marked).toEqual(['counter', 'named', 'compiled', 'hidden']);
    expect(outline(new Counter())).toMatchObject({ size: 0, entries: [], hasPrivateFields: true });
    expect(outline({})).not.toHaveProperty('hasPrivateFields');
  });

  /** Makes its items while one goes through it: the last of them are minutes away. */
  const endless = {
    length: Number.MAX_SAFE_INTEGER,
    *[Symbol.iterator]() {
      for (let index = 0; ; index++) yield index;
    },
  };

  it('skips entries within its budget, and reports when it did not reach the first requested one', () => {
    const from = 1e15;
    const unreached = { from, entries: [], hasMore: true, isUnreached: true };
    expect(outline(endless, { from, budget: 20 })).toMatchObject(unreached);
    const [row] = outline({ endless }, { levels: 2, pages: { '/endless': from }, budget: 20 }).entries;
    expect(row?.entries).toMatchObject(unreached);
    expect(outline(endless, { from: 1000, limit: 1 })).not.toHaveProperty('isUnreached');
  });

  it('skips the entries of an array at once', () => {
    const sparse: number[] = [];
    sparse[4e9] = 7;
    expect(outline(sparse, { from: 4e9 }).entries).toMatchObject([{ key: '4000000000', preview: '7' }]);
  });

  describe('with a budget', () => {
    const waiting = (milliseconds: number) => {
      const cell = new Int32Array(new SharedArrayBuffer(4));
      return () => void Atomics.wait(cell, 0, 0, milliseconds);
    };
    const working = (milliseconds: number) => () => {
      const start = process.cpuUsage();
      let used = process.cpuUsage(start);
      while (used.user + used.system < milliseconds * 1000) used = process.cpuUsage(start);
    };
    /** A value whose first entry takes a while. */
    const slow = (pass: () => void) => ({
      get first() {
        pass();
        return 1;
      },
      second: 2,
    });

    it('counts CPU time of the process, not waiting on a busy machine', () => {
      const [budget, most] = [200, 1000];
      let began: number;
      let shown: readonly unknown[];
      do {
        began = performance.now();
        shown = outline(slow(waiting(250)), { budget }).entries;
        // Where the machine stalled for longer than is waited at most, this showed nothing.
      } while (performance.now() - began >= most);
      expect(shown).toHaveLength(2);
      expect(outline(slow(working(60)), { budget: 50 })).toMatchObject({ entries: [{ key: 'first' }], hasMore: true });
    });

    it('waits for five times as long at most', () => {
      expect(outline(slow(waiting(60)), { budget: 10 }).entries).toHaveLength(1);
    });
  });
});
