import { describe, expect, it, vi } from 'vitest';
import { nothing, texts } from '../masking/secret-key.ts';
import { containerCursor } from './container-cursor.ts';
import {
  ArrayCursor,
  type Cursor,
  type EntryMark,
  IterableCursor,
  iterableCursor,
  PropertyCursor,
  SetCursor,
  skipSome,
} from './cursors.ts';
import { MapCursor, MapEntryListCursor, MapScan } from './map-cursors.ts';
import { beanProperties } from './reflection.ts';

const secrecyOf = (key: string) => (key === 'secret' ? texts : nothing);
const throwing = () => {
  throw new Error('no');
};

class Bean {
  a = 1;
  secret = 'planted';
  method = () => 1;
  get b() {
    return 2;
  }
  get made() {
    return () => 1;
  }
  get broken() {
    return throwing();
  }
  set written(_: number) {
    throwing();
  }
}

type Entry = readonly [key: string | number, value: unknown, mark?: Cursor['secrecy'] | EntryMark];

interface Contract {
  readonly name: string;
  readonly kind: 'object' | 'list';
  readonly cursor: () => Cursor;
  readonly entries: readonly Entry[];
  /** How many are counted before they are read, where that is not the number of entries. */
  readonly counted?: number;
}

const withGetter = Object.defineProperty([1, 2], 1, { get: throwing });
const map = new Map<unknown, unknown>([
  ['a', 1],
  ['secret', 'planted'],
  [3, 'c'],
]);
const generated = (length: number, items: number) => ({
  length,
  *[Symbol.iterator]() {
    for (let index = 0; index < items; index++) yield `item ${index}`;
  },
});
const listed = () => {
  const cursor = new MapEntryListCursor(
    new Map<unknown, unknown>([
      ['secret', 'planted'],
      [Symbol('x'), 1],
    ]),
  );
  cursor.next();
  return cursor.value as object;
};

const contracts: readonly Contract[] = [
  {
    name: 'the properties of a bean',
    kind: 'object',
    cursor: () => new PropertyCursor(new Bean(), beanProperties(new Bean()), secrecyOf),
    entries: [
      ['a', 1],
      ['secret', 'planted', texts],
      ['b', 2],
      ['broken', '[Threw Error: no]', 'threw'],
    ],
    counted: 5,
  },
  {
    name: 'an array with a hole',
    kind: 'list',
    cursor: () => new ArrayCursor(Object.assign([0], { length: 2 })),
    entries: [
      [0, 0],
      [1, undefined],
    ],
  },
  {
    name: 'an array whose item throws',
    kind: 'list',
    cursor: () => new ArrayCursor(withGetter),
    entries: [
      [0, 1],
      [1, '[Threw Error: no]', 'threw'],
    ],
  },
  {
    name: 'a set',
    kind: 'list',
    cursor: () => new SetCursor(new Set(['x', 'y', 'z'])),
    entries: [
      [0, 'x'],
      [1, 'y'],
      [2, 'z'],
    ],
  },
  {
    name: 'an iterable',
    kind: 'list',
    cursor: () => iterableCursor(generated(2, 2)) as Cursor,
    entries: [
      [0, 'item 0'],
      [1, 'item 1'],
    ],
  },
  {
    name: 'an iterable with more items than its length',
    kind: 'list',
    cursor: () => iterableCursor(generated(1, 5)) as Cursor,
    entries: [[0, 'item 0']],
  },
  {
    name: 'an iterable with fewer items than its length',
    kind: 'list',
    cursor: () => iterableCursor(generated(5, 1)) as Cursor,
    entries: [[0, 'item 0']],
    counted: 5,
  },
  {
    name: 'a map',
    kind: 'object',
    cursor: () => new MapCursor(map, secrecyOf),
    entries: [
      ['a', 1],
      ['secret', 'planted', texts],
      ['3', 'c'],
    ],
  },
  {
    name: 'an entry of a map that is a list',
    kind: 'object',
    cursor: () => containerCursor(listed(), { secrecyOf, stacks: false }) as Cursor,
    entries: [
      ['key', 'secret'],
      ['value', 'planted', texts],
    ],
  },
];

function restOf(cursor: Cursor): Entry[] {
  const entries: Entry[] = [];
  while (cursor.next()) {
    const { key, value, secrecy } = cursor;
    const mark = secrecy === nothing ? cursor.mark : secrecy;
    entries.push(mark === undefined ? [key, value] : [key, value, mark]);
  }
  return entries;
}

describe('a cursor of', () => {
  it.each(contracts)('$name goes through all entries, and counts those that are left', ({ kind, cursor, entries }) => {
    const made = cursor();
    expect(made.kind).toBe(kind);
    expect(restOf(made)).toEqual(entries);
    expect([made.next(), made.remaining()]).toEqual([false, 0]);
  });

  it.each(contracts)('$name passes over any number of entries', ({ cursor, entries, counted = entries.length }) => {
    for (let count = 0; count <= entries.length + 1; count++) {
      const made = cursor();
      expect(made.remaining()).toBe(counted);
      expect(made.skip(count)).toBe(Math.min(count, entries.length));
      if (counted === entries.length) expect(made.remaining()).toBe(Math.max(0, entries.length - count));
      expect(restOf(made)).toEqual(entries.slice(count));
    }
    const made = cursor();
    expect([made.next(), made.skip(1)]).toEqual([true, Math.min(1, entries.length - 1)]);
    expect(restOf(made)).toEqual(entries.slice(2));
  });

  it.each(contracts)('$name knows the names that it has, which lists have not', ({ kind, cursor, entries }) => {
    const made = cursor();
    if (kind === 'list') expect([made.has('0'), made.has('length')]).toEqual([false, false]);
    else expect([made.has(String(entries[0]?.[0])), made.has('other')]).toEqual([true, false]);
  });
});

describe('the cursor of properties', () => {
  it('moves to a name without reading any other', () => {
    const reads: string[] = [];
    const bean = {
      get first() {
        return reads.push('first');
      },
      method: () => 1,
      get second() {
        return reads.push('second');
      },
      secret: 'planted',
      after: 1,
    };
    const cursor = new PropertyCursor(bean, Object.keys(bean), secrecyOf);
    expect([cursor.seek('second'), cursor.key, cursor.value, cursor.mark]).toEqual([true, 'second', 1, undefined]);
    expect([cursor.next(), cursor.key, cursor.secrecy]).toEqual([true, 'secret', texts]);
    expect([cursor.next(), cursor.key, cursor.secrecy]).toEqual([true, 'after', nothing]);
    expect([cursor.seek('method'), cursor.seek('missing'), cursor.seek('toString')]).toEqual([false, false, false]);
    expect(reads).toEqual(['second']);
  });

  it('passes over data without reading it, and over getters by reading them', () => {
    const reads: string[] = [];
    const bean = {
      a: 1,
      get made() {
        reads.push('made');
        return () => 1;
      },
      get b() {
        return reads.push('b');
      },
      method: () => 1,
      c: 3,
    };
    const cursor = new PropertyCursor(bean, Object.keys(bean), secrecyOf);
    expect([cursor.skip(1), reads.length]).toEqual([1, 0]);
    expect([cursor.skip(1), reads]).toEqual([1, ['made', 'b']]);
    expect(restOf(cursor)).toEqual([['c', 3]]);
  });

  it('leaves out a property that was deleted meanwhile', () => {
    const bean: Record<string, unknown> = { a: 1, b: 2, c: 3 };
    const cursor = new PropertyCursor(bean, Object.keys(bean), secrecyOf);
    cursor.next();
    delete bean.b;
    expect(cursor.remaining()).toBe(1);
    expect(restOf(cursor)).toEqual([['c', 3]]);
  });

  it('counts exactly up to ten thousand names', () => {
    const bean = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`k${index}`, index]));
    bean.k5 = (() => 1) as never;
    const cursor = new PropertyCursor(bean, Object.keys(bean), secrecyOf);
    expect(cursor.remaining()).toBe(10_001);
    cursor.next();
    expect(cursor.remaining()).toBe(9_999);
  });
});

describe('the cursors of lists', () => {
  it('follow an array that grows and shrinks', () => {
    const list = [1, 2, 3];
    const cursor = new ArrayCursor(list);
    cursor.next();
    cursor.next();
    list.length = 1;
    expect([cursor.remaining(), cursor.next(), cursor.skip(1)]).toEqual([0, false, 0]);
    list.push(2, 4);
    expect([cursor.remaining(), cursor.next(), cursor.value]).toEqual([1, true, 4]);
    expect([cursor.seek(0), cursor.value, cursor.seek(3), cursor.key]).toEqual([true, 1, false, 0]);
  });

  it('forget the error of an item at the next one', () => {
    const cursor = new ArrayCursor(Object.defineProperty([1, 2], 0, { get: throwing }));
    cursor.next();
    expect([cursor.mark, cursor.next(), cursor.mark, cursor.value]).toEqual(['threw', true, undefined, 2]);
  });

  it('follow a set and a map that shrink', () => {
    const set = new Set([1, 2]);
    const cursor = new SetCursor(set);
    cursor.next();
    set.clear();
    expect([cursor.remaining(), cursor.next()]).toEqual([0, false]);
    const entries = new Map<unknown, unknown>([[{}, 1]]);
    const list = new MapEntryListCursor(entries);
    const named = new MapCursor(entries, secrecyOf);
    expect([list.remaining(), list.has()]).toEqual([1, false]);
    list.next();
    named.next();
    entries.clear();
    expect([list.remaining(), list.next(), named.remaining(), named.next()]).toEqual([0, false, 0, false]);
  });

  it('of the entries of a map pass over them, and number them', () => {
    const entries = new Map<unknown, unknown>([1, 2, 3].map((each) => [{}, each]));
    const cursor = new MapEntryListCursor(entries);
    expect([cursor.skip(2), cursor.remaining(), cursor.next(), cursor.key]).toEqual([2, 1, true, 2]);
    expect([cursor.skip(1), cursor.next(), cursor.remaining()]).toEqual([0, false, 0]);
  });
});

describe('the cursor of an iterable', () => {
  it('passes over few entries at a time where each takes long to make', () => {
    let time = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => time);
    const made = function* (milliseconds: number) {
      for (;;) {
        time += milliseconds;
        yield 1;
      }
    };
    try {
      expect(skipSome(new IterableCursor(1000, () => made(60)), 1000)).toBe(999);
      expect(skipSome(new IterableCursor(1000, () => made(0)), 1000)).toBe(936);
      expect(skipSome(new IterableCursor(1000, () => made(0)), 10)).toBe(0);
      expect(skipSome(new IterableCursor(3, () => made(0)), 10)).toBe(0);
    } finally {
      clock.mockRestore();
    }
  });

  const closing = (next: () => unknown, more: object = {}) => ({ next, ...more });

  it('closes its iterator when it is left, once, and whatever that throws', () => {
    let closed = 0;
    const iterator = closing(() => ({ done: false, value: 1 }), {
      return() {
        closed++;
        throw new Error('no');
      },
    });
    const cursor = new IterableCursor(5, () => iterator);
    cursor.next();
    cursor.close();
    cursor.close();
    expect([closed, cursor.next(), cursor.remaining()]).toEqual([1, false, 0]);
    const full = new IterableCursor(1, () => iterator);
    expect([full.next(), full.next(), closed]).toEqual([true, false, 2]);
  });

  it('does not begin only to close, and needs no return', () => {
    let begun = 0;
    const untouched = new IterableCursor(5, () => ++begun);
    untouched.close();
    expect([untouched.next(), begun]).toEqual([false, 0]);
    const cursor = new IterableCursor(5, () => closing(() => ({ done: false, value: 1 })));
    cursor.next();
    cursor.close();
    expect(cursor.next()).toBe(false);
  });

  it('does not close an iterator that has ended by itself or by an error', () => {
    let closed = 0;
    const end = { return: () => closed++ };
    const ended = new IterableCursor(5, () => closing(() => ({ done: true }), end));
    expect([ended.next(), ended.remaining()]).toEqual([false, 0]);
    ended.close();
    const failed = new IterableCursor(5, () => closing(throwing, end));
    expect([failed.next(), failed.value, failed.mark, failed.key]).toEqual([true, '[Threw Error: no]', 'threw', 0]);
    expect([failed.next(), failed.remaining()]).toEqual([false, 0]);
    failed.close();
    expect(closed).toBe(0);
  });

  it.each([
    ['no iterator', () => 1, 'an iterator must be an object, and so must what its next() returns'],
    ['null', () => null, 'an iterator must be an object, and so must what its next() returns'],
    ['an iterator without next', () => ({}), 'what should be called is no function'],
    ['an iterator whose next returns a number', () => ({ next: () => 1 }), 'an iterator must be an object'],
  ])('shows %s as an error', (_, iterate, message) => {
    const cursor = new IterableCursor(5, iterate);
    expect([cursor.next(), cursor.mark, cursor.next()]).toEqual([true, 'threw', false]);
    expect(cursor.value).toContain(`[Threw TypeError: ${message}`);
  });

  it('takes functions for objects, and asks for no value at the end', () => {
    const asked: string[] = [];
    const result = (done: boolean) =>
      Object.defineProperty(() => undefined, 'done', {
        get: () => {
          asked.push('done');
          return done;
        },
      });
    const results = [false, true].map((done) =>
      Object.defineProperty(result(done), 'value', { get: () => asked.push('value') }),
    );
    const iterator = Object.assign(() => undefined, { next: () => results.shift() });
    const cursor = new IterableCursor(5, () => iterator);
    expect(restOf(cursor)).toEqual([[0, 2]]);
    expect(asked).toEqual(['done', 'value', 'done']);
  });

  it.each([
    ['no iterator', { length: 1 }],
    ['no length', { [Symbol.iterator]: () => [][Symbol.iterator]() }],
    ['a negative length', { length: -1, [Symbol.iterator]: () => [] }],
    ['a broken length', { length: 1.5, [Symbol.iterator]: () => [] }],
    ['a length that is a text', { length: '1', [Symbol.iterator]: () => [] }],
    ['a length that throws', Object.defineProperty({ [Symbol.iterator]: () => [] }, 'length', { get: throwing })],
    ['an iterator that is no function', { length: 1, [Symbol.iterator]: 1 }],
    ['an iterator that is a proxy', { length: 1, [Symbol.iterator]: new Proxy(() => [], {}) }],
    ['a next of its own', { length: 1, next: () => 1, [Symbol.iterator]: () => [] }],
  ])('is not for an object with %s', (_, object) => {
    expect(iterableCursor(object)).toBeUndefined();
  });

  it('is for an object with an iterator and a length, which may be zero or a getter', () => {
    expect(iterableCursor({ length: 0, [Symbol.iterator]: () => [] })).toBeInstanceOf(IterableCursor);
    const object = Object.defineProperty({ [Symbol.iterator]: () => ['a'].values() }, 'length', { get: () => 1 });
    expect(restOf(iterableCursor(object) as Cursor)).toEqual([[0, 'a']]);
  });
});

describe('the cursor of a container', () => {
  const options = { secrecyOf, stacks: false };

  it.each([
    ['a map', new Map(), MapScan],
    ['a set', new Set(), SetCursor],
    ['an array', [], ArrayCursor],
    ['an iterable', generated(1, 1), IterableCursor],
    ['an object', {}, PropertyCursor],
  ])('goes through %s', (_, object, kind) => {
    expect(containerCursor(object, options)).toBeInstanceOf(kind);
  });

  it('shows the stack of an error only when asked', () => {
    const names = (stacks: boolean) =>
      restOf(containerCursor(new Error('no'), { secrecyOf, stacks }) as Cursor).map(([key]) => key);
    expect([names(false), names(true)]).toEqual([
      ['name', 'message'],
      ['name', 'message', 'stack'],
    ]);
  });
});
