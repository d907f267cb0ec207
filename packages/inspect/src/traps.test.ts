import { describe, expect, it } from 'vitest';
import { everyWay, written } from '../test-fixtures/both-ways.ts';
import { inspect } from './inspect.ts';

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

interface Trapped {
  readonly what: string;
  readonly bean: () => unknown;
  readonly json: string;
}

const trapped: readonly Trapped[] = [
  { what: 'an own getter', bean: () => withGetter({ b: 2 }, 'a'), json: '{"b":2,"a":"[Proxy]"}' },
  { what: 'the getter of a class', bean: () => made('g'), json: '[{"a":1,"g":"[Proxy]"},{"a":1,"g":"[Proxy]"}]' },
  { what: 'the getter of an item', bean: () => withGetter([], 0), json: '["[Proxy]"]' },
  { what: 'the getter of a later item', bean: () => withGetter([0, 1], 2), json: '[0,1,"[Proxy]"]' },
  { what: 'an iterator', bean: () => iterating(() => noting([1].values())), json: '["[Proxy]"]' },
  { what: 'next', bean: () => iterating(() => ({ next: noting(() => ({ done: true })) })), json: '["[Proxy]"]' },
  { what: 'the getter of next', bean: () => iterating(() => withGetter({}, 'next')), json: '["[Proxy]"]' },
  {
    what: 'what next returns',
    bean: () => iterating(() => ({ next: () => noting({ done: false, value: 1 }) })),
    json: '["[Proxy]"]',
  },
  {
    what: 'the getter of a value',
    bean: () => iterating(() => ({ next: () => withGetter({ done: false }, 'value') })),
    json: '["[Proxy]"]',
  },
  {
    what: 'what an iterator inherits from',
    bean: () => iterating(() => inheriting({}, { next: one })),
    json: '["[Threw TypeError: what should be called is no function]"]',
  },
  {
    what: 'return',
    bean: () => iterating(() => ({ next: () => ({ value: limited }), return: noting(one) })),
    json: '[[1,2],[1,2],[1,2]]',
  },
  { what: 'toJSON', bean: () => ({ a: 1, toJSON: noting(one) }), json: '{"a":1}' },
  { what: 'the getter of toJSON', bean: () => withGetter({ a: 1 }, 'toJSON', false), json: '{"a":1}' },
  { what: 'the getter of toJSON of a list', bean: () => withGetter([1], 'toJSON', false), json: '[1]' },
  { what: 'what toJSON returns', bean: () => ({ toJSON: () => noting({}) }), json: '"[Proxy]"' },
  { what: 'Symbol.iterator', bean: () => iterating(noting(one)), json: '{"length":3}' },
  {
    what: 'the getter of a length',
    bean: () => withGetter({ [Symbol.iterator]: one }, 'length', false),
    json: '{}',
  },
  { what: 'what an object inherits from', bean: () => inheriting({ a: 1 }, { b: 2 }), json: '{"a":1}' },
  {
    what: 'what a list inherits from',
    bean: () => inheriting(Object.assign([1], { 2: 3 }), Array.prototype),
    json: '[1,null,3]',
  },
  { what: 'what a map inherits from', bean: () => inheriting(new Map([['a', 1]]), Map.prototype), json: '{"a":1}' },
  { what: 'what a set inherits from', bean: () => inheriting(new Set([1]), Set.prototype), json: '[1]' },
  { what: 'what a date inherits from', bean: () => inheriting(new Date(5), Date.prototype), json: '5' },
  { what: 'what a pattern inherits from', bean: () => inheriting(/a/gi, RegExp.prototype), json: '"/a/gi"' },
  { what: 'what bytes inherit from', bean: () => inheriting(new Uint8Array(1), {}), json: '"AA=="' },
  { what: 'what memory inherits from', bean: () => inheriting(new ArrayBuffer(1), {}), json: '"AA=="' },
  { what: 'what a promise inherits from', bean: () => inheriting(Promise.resolve(), {}), json: '"[Object]"' },
  { what: 'what a wrapper inherits from', bean: () => inheriting(Object(7n), {}), json: '7' },
  {
    what: 'what an error inherits from',
    bean: () => inheriting(new Error('x'), Error.prototype),
    json: '{"message":"x"}',
  },
  {
    what: 'the getter of a cause',
    bean: () => withGetter(new Error('x'), 'cause', false),
    json: '{"name":"Error","message":"x","cause":"[Proxy]"}',
  },
  { what: 'a constructor', bean: proxiedConstructor, json: '{"a":1}' },
  { what: 'a tag, though it is no proxy', bean: () => [new Tagged(), new Tagged()], json: '[{},{}]' },
  {
    what: 'what is thrown',
    bean: () => ({
      get a() {
        throw inheriting(withGetter({ message: 'm' }, 'name'), Error.prototype);
      },
    }),
    json: '{"a":"[Threw Object: m]"}',
  },
  {
    what: 'the class of a promise that a getter creates',
    bean: () => ({
      get a() {
        return [Object.assign(Promise.reject(new Error('x')), { constructor: noting(Promise) })];
      },
    }),
    json: '{"a":["[Promise]"]}',
  },
];

describe('no trap is fired when a proxy is', () => {
  it.each(trapped)('$what', ({ bean, json }) => {
    const value = bean();
    fired = [];
    for (const document of everyWay(value)) expect(document).toBe(json);
    for (const document of everyWay({ value })) expect(document).toBe(`{"value":${json}}`);
    const [xml, ...others] = everyWay(value, { format: 'xml' });
    for (const other of others) expect(other).toBe(xml);
    expect(JSON.parse(written(value, { pretty: true }))).toEqual(JSON.parse(json));
    for (const limit of [1, 2]) everyWay(value, { limit });
    inspect({ value }, { at: '/value' }).toString();
    expect(fired).toEqual([]);
  });

  it('the getter of an object whose shape was seen before without one', () => {
    const plain = { like: 1, others: [1] };
    const trap = withGetter({ like: 1 }, 'others');
    const list = withGetter([1], 1);
    for (let round = 0; round < 6; round++) everyWay(plain, { format: round % 2 === 0 ? 'json' : 'xml' });
    fired = [];
    for (const document of everyWay(trap)) expect(document).toBe('{"like":1,"others":"[Proxy]"}');
    for (const document of everyWay({ like: 1, others: list }))
      expect(document).toBe('{"like":1,"others":[1,"[Proxy]"]}');
    expect(fired).toEqual([]);
  });
});
