import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { Masking } from '../masking/masking.ts';

import { PointerReader, quantityAt } from './quantity.ts';

class Pool {
  waiting = 3;
  isOpen = true;
  idle = [1, 2];
  byName = new Map([['a', 1]]);
  named = new Map([['size', 7]]);
  tags = new Set(['x']);
  limits: Record<string, unknown> = { most: 10 };
  account = 5;
  asJson = { count: 1, toJSON: () => ({ count: 1 }) };
  trapped: object = {};
  get used(): number {
    return this.waiting + 1;
  }
}

const options = { masking: new Masking({ secrets: ['123456789'] }), getters: 'run' } as const;

function readTwice(at: string, change: (pool: Pool) => void = () => {}, later = {}) {
  const pool = new Pool();
  const reader = new PointerReader(at);
  expect(reader.readAnew(pool, options)).toEqual(quantityAt(pool, at, options));
  change(pool);
  const again = reader.readAgain(pool, { ...options, ...later });
  // Whatever it knows is what there is.
  if (again !== undefined) expect({ value: again }).toEqual(quantityAt(pool, at, { ...options, ...later }));
  return again;
}

describe('a pointer that is read again', () => {
  it.each<[string, (pool: Pool) => void, number]>([
    ['/waiting', (pool) => void pool.waiting++, 4],
    ['/isOpen', (pool) => void Object.assign(pool, { isOpen: false }), 0],
    ['/limits/most', ({ limits }) => void Object.assign(limits, { most: 11 }), 11],
    ['/idle', ({ idle }) => void idle.push(3), 3],
    ['/idle/length', ({ idle }) => void idle.pop(), 1],
    ['/byName', ({ byName }) => byName.clear(), 0],
    ['/byName/size', ({ byName }) => void byName.set('b', 2), 2],
    ['/tags/size', ({ tags }) => void tags.add('y'), 2],
  ])('%s is known by the objects that led to it', (at, change, value) => {
    expect(readTwice(at, change)).toBe(value);
  });

  const define = (pool: Pool, property: PropertyDescriptor) => Object.defineProperty(pool, 'waiting', property);
  it.each<[string, string, (pool: Pool) => void]>([
    ['a getter', '/used', () => {}],
    ['an entry of a map', '/named/size', () => {}],
    ['an item of a list', '/idle/0', () => {}],
    ['what toJSON makes', '/asJson/count', () => {}],
    ['the size of an object', '/limits', () => {}],
    ['another object', '/limits/most', (pool) => void Object.assign(pool, { limits: { most: 10 } })],
    ['another list', '/idle', (pool) => void Object.assign(pool, { idle: [] })],
    ['what is now a text', '/waiting', (pool) => void Object.assign(pool, { waiting: 'many' })],
    ['what is now a secret', '/account', (pool) => void Object.assign(pool, { account: 123456789 })],
    ['what is gone', '/waiting', (pool) => void Reflect.deleteProperty(pool, 'waiting')],
    ['what is now a getter', '/waiting', (pool) => void define(pool, { get: () => expect.unreachable() })],
    ['what is now hidden', '/waiting', (pool) => void define(pool, { value: 3, enumerable: false })],
    ['what is in a proxy', '/trapped/a', (pool) => void Object.assign(pool, { trapped: new Proxy({ a: 1 }, {}) })],
  ])('is read anew where it is %s', (_what, at, change) => {
    expect(readTwice(at, change)).toBeUndefined();
  });

  it('is read anew when secrets were added, what is shown is decided by value, or an object was closed', () => {
    expect(readTwice('/waiting', undefined, { masking: new Masking() })).toBeUndefined();
    const pool = new Pool();
    const judged = { ...options, masking: new Masking({ mask: ({ value }) => value === 4 }) };
    const reader = new PointerReader('/waiting');
    expect(reader.readAnew(pool, judged)).toEqual({ value: 3 });
    expect(reader.readAgain(pool, judged)).toBeUndefined();
    const inner = new PointerReader('/limits/most');
    inner.readAnew(pool, options);
    expect(inner.readAgain(pool, { ...options, closed: new Set([pool.limits]) })).toBeUndefined();
    const list = new PointerReader('/idle');
    list.readAnew(pool, options);
    expect(list.readAgain(pool, { ...options, closed: new Set([pool.idle]) })).toBeUndefined();
  });

  it('keeps nothing that the application drops', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const readers = [new PointerReader('/limits/most'), new PointerReader('/idle')];
    const dropped = (() => {
      const pool = new Pool();
      for (const reader of readers) {
        reader.readAnew(pool, options);
        expect(reader.readAgain(pool, options)).toBeGreaterThan(0);
      }
      return new WeakRef(pool);
    })();
    await expect
      .poll(() => {
        collect();
        return dropped.deref() === undefined;
      })
      .toBe(true);
    expect(readers).toHaveLength(2);
  });
});
