import { describe, expect, it } from 'vitest';
import { shown, written } from '../test-fixtures/shown.ts';

let fired: string[] = [];

/** A proxy that notes whatever it is asked for, and otherwise behaves like what is behind it. */
function noting<Target extends object>(target: Target): Target {
  const traps = new Proxy(
    {},
    {
      get(_, trap) {
        fired.push(String(trap));
        return undefined;
      },
    },
  );
  return new Proxy(target, traps);
}

const one = () => 1;
const withGetter = (object: object, key: PropertyKey, enumerable = true) =>
  Object.defineProperty(object, key, { get: noting(one), enumerable, configurable: true });
const inheriting = (object: object, prototype: object) => Object.setPrototypeOf(object, noting(prototype)) as unknown;
const iterating = (iterator: () => unknown) => ({ length: 3, [Symbol.iterator]: iterator });
const made = (property: string) => {
  class Made {
    a = 1;
  }
  withGetter(Made.prototype, property, false);
  return [new Made(), new Made()];
};
function proxiedConstructor(): unknown {
  class Named {
    a = 1;
  }
  Object.defineProperty(Named.prototype, 'constructor', { value: noting(Named) });
  return new Named();
}
class Tagged {
  get [Symbol.toStringTag](): string {
    fired.push('toStringTag');
    throw new Error('a tag that cannot be told');
  }
}
const limited = [1, 2];

const trapped: readonly (readonly [what: string, bean: () => unknown, json: string])[] = [
  ['an own getter', () => withGetter({ b: 2 }, 'a'), '{"b":2,"a":"[Proxy]"}'],
  ['the getter of a class', () => made('g'), '[{"a":1,"g":"[Proxy]"},{"a":1,"g":"[Proxy]"}]'],
  ['the getter of an item', () => withGetter([], 0), '["[Proxy]"]'],
  ['the getter of a later item', () => withGetter([0, 1], 2), '[0,1,"[Proxy]"]'],
  ['an iterator', () => iterating(() => noting([1].values())), '["[Proxy]"]'],
  ['next', () => iterating(() => ({ next: noting(() => ({ done: true })) })), '["[Proxy]"]'],
  ['the getter of next', () => iterating(() => withGetter({}, 'next')), '["[Proxy]"]'],
  ['what next returns', () => iterating(() => ({ next: () => noting({ done: false, value: 1 }) })), '["[Proxy]"]'],
  [
    'the getter of a value',
    () => iterating(() => ({ next: () => withGetter({ done: false }, 'value') })),
    '["[Proxy]"]',
  ],
  [
    'what an iterator inherits from',
    () => iterating(() => inheriting({}, { next: one })),
    '["[Threw TypeError: what should be called is no function]"]',
  ],
  ['return', () => iterating(() => ({ next: () => ({ value: limited }), return: noting(one) })), '[[1,2],[1,2],[1,2]]'],
  ['toJSON', () => ({ a: 1, toJSON: noting(one) }), '{"a":1}'],
  ['the getter of toJSON', () => withGetter({ a: 1 }, 'toJSON', false), '{"a":1}'],
  ['the getter of toJSON of a list', () => withGetter([1], 'toJSON', false), '[1]'],
  ['what toJSON returns', () => ({ toJSON: () => noting({}) }), '"[Proxy]"'],
  ['Symbol.iterator', () => iterating(noting(one)), '{"length":3}'],
  ['the getter of a length', () => withGetter({ [Symbol.iterator]: one }, 'length', false), '{}'],
  ['what an object inherits from', () => inheriting({ a: 1 }, { b: 2 }), '{"a":1}'],
  ['what a list inherits from', () => inheriting(Object.assign([1], { 2: 3 }), Array.prototype), '[1,null,3]'],
  ['what a map inherits from', () => inheriting(new Map([['a', 1]]), Map.prototype), '{"a":1}'],
  ['what a set inherits from', () => inheriting(new Set([1]), Set.prototype), '[1]'],
  ['what a date inherits from', () => inheriting(new Date(5), Date.prototype), '5'],
  ['what a pattern inherits from', () => inheriting(/a/gi, RegExp.prototype), '"/a/gi"'],
  ['what bytes inherit from', () => inheriting(new Uint8Array(1), {}), '"AA=="'],
  ['what memory inherits from', () => inheriting(new ArrayBuffer(1), {}), '"AA=="'],
  ['what a promise inherits from', () => inheriting(Promise.resolve(), {}), '"[Object]"'],
  ['what a wrapper inherits from', () => inheriting(Object(7n), {}), '7'],
  ['what an error inherits from', () => inheriting(new Error('x'), Error.prototype), '{"message":"x"}'],
  [
    'the getter of a cause',
    () => withGetter(new Error('x'), 'cause', false),
    '{"name":"Error","message":"x","cause":"[Proxy]"}',
  ],
  ['a constructor', proxiedConstructor, '{"a":1}'],
  ['a tag, though it is no proxy', () => [new Tagged(), new Tagged()], '[{},{}]'],
  [
    'what is thrown',
    () => ({
      get a() {
        throw inheriting(withGetter({ message: 'm' }, 'name'), Error.prototype);
      },
    }),
    '{"a":"[Threw Object: m]"}',
  ],
  [
    'the class of a promise that a getter creates',
    () => ({
      get a() {
        return [Object.assign(Promise.reject(new Error('x')), { constructor: noting(Promise) })];
      },
    }),
    '{"a":["[Promise]"]}',
  ],
];

describe('no trap is fired when a proxy is', () => {
  it.each(trapped)('%s', (_, bean, json) => {
    const value = bean();
    fired = [];
    expect(written(value)).toBe(json);
    expect(written({ value })).toBe(`{"value":${json}}`);
    expect(shown(value, { pretty: true })).toEqual(JSON.parse(json));
    for (const limit of [1, 2]) for (const format of ['json', 'xml'] as const) written(value, { limit, format });
    written({ value }, { at: '/value' });
    expect(fired).toEqual([]);
  });
});
