import { EventEmitter } from 'node:events';
import { createServer } from 'node:net';
import { PassThrough } from 'node:stream';
import { compileFunction, runInNewContext } from 'node:vm';

/** A bean that is hard to show, and its JSON. */
export type AwkwardBean = readonly [what: string, bean: () => unknown, json: string];

class Point {
  readonly x = 1;
  readonly #y = 2;
  get y(): number {
    return this.#y;
  }
  method(): number {
    return this.#y;
  }
  static readonly shared = 3;
}

class Point3 extends Point {
  readonly z = 3;
  get length(): number {
    return 3;
  }
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function handedOn(): unknown {
  const memory = new ArrayBuffer(8);
  const views = [new Uint16Array(memory), new DataView(memory, 4)];
  structuredClone(memory, { transfer: [memory] });
  return [memory, ...views, 1];
}

const trapped = new Proxy(
  {},
  new Proxy(
    {},
    {
      get() {
        throw new Error('a trap was fired');
      },
    },
  ),
);

function disguisedMap(): object {
  return Object.setPrototypeOf(new Map([['a', 1]]), Object.prototype) as object;
}

function spoofed(): object {
  return { constructor: { name: 'Spoof' }, [Symbol.toStringTag]: 'Map', a: 1 };
}

/** Only where this Node has Temporal. */
function temporalBeans(): AwkwardBean[] {
  const { Temporal } = globalThis as unknown as { Temporal?: Record<string, { from(text: string): unknown }> };
  if (Temporal === undefined) return [];
  const texts = { Instant: '1970-01-01T00:00:00.005Z', PlainDate: '2019-12-24', Duration: 'PT1H' };
  const beans = () => Object.entries(texts).map(([name, text]) => Temporal[name]?.from(text));
  return [['Temporal', beans, '[5,"2019-12-24","PT1H"]']];
}

export const awkwardBeans: readonly AwkwardBean[] = [
  ...temporalBeans(),
  ['undefined', () => undefined, 'null'],
  ['null', () => null, 'null'],
  ['a boolean', () => true, 'true'],
  ['a number', () => -1.5, '-1.5'],
  ['negative zero', () => [-0], '[0]'],
  ['NaN', () => Number.NaN, '"NaN"'],
  ['infinities', () => [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY], '["Infinity","-Infinity"]'],
  ['a bigint', () => 123456789012345678901234567890n, '123456789012345678901234567890'],
  ['a date', () => ({ expiration: new Date(1577185199000) }), '{"expiration":1577185199000}'],
  ['an invalid date', () => new Date(Number.NaN), 'null'],
  ['boxed primitives', () => [Object('a'), Object(1), Object(false), Object(2n)], '["a",1,false,2]'],
  ['an empty string', () => ({ a: '' }), '{"a":""}'],
  ['a plain object', () => ({ b: 1, a: { c: null } }), '{"b":1,"a":{"c":null}}'],
  ['an empty object', () => ({}), '{}'],
  ['absent values', () => ({ a: undefined, b: null }), '{"a":null,"b":null}'],
  ['a null-prototype object', () => Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
  ['a class instance', () => new Point(), '{"x":1,"y":2}'],
  ['a subclass', () => new Point3(), '{"x":1,"z":3,"y":2,"length":3}'],
  ['an anonymous class', () => new (class {})(), '{}'],
  [
    'own accessors',
    () => ({
      get a() {
        return 1;
      },
      set b(_: number) {},
    }),
    '{"a":1}',
  ],
  ['methods and symbols', () => ({ m() {}, f: () => 1, [Symbol('s')]: 1, a: 1 }), '{"a":1}'],
  ['toJSON', () => ({ hidden: 1, toJSON: () => ({ shown: new Date(5) }) }), '{"shown":5}'],
  [
    'toJSON that returns itself',
    () => ({
      a: 1,
      toJSON() {
        return this;
      },
    }),
    '{"a":1}',
  ],
  [
    'toJSON that contains itself',
    () => ({
      toJSON() {
        return { self: this };
      },
    }),
    '{"self":"[Reference /]"}',
  ],
  [
    'a map',
    () =>
      new Map<unknown, unknown>([
        ['uuid:1', { entity: null }],
        [2, true],
        [null, 1],
      ]),
    '{"uuid:1":{"entity":null},"2":true,"null":1}',
  ],
  ['an empty map', () => ({ params: new Map() }), '{"params":{}}'],
  [
    'a map with two keys of one name',
    () =>
      new Map<unknown, unknown>([
        [1, 'a'],
        ['1', 'b'],
      ]),
    '[{"key":1,"value":"a"},{"key":"1","value":"b"}]',
  ],
  ['a map in disguise', disguisedMap, '{"a":1}'],
  [
    'an object that only inherits from a built-in',
    () => Object.create(WeakMap.prototype, { a: { value: 1, enumerable: true } }) as unknown,
    '{"a":1}',
  ],
  ['a set', () => new Set(['a', 'b']), '["a","b"]'],
  [
    'a sparse array',
    () => {
      const list: unknown[] = [1];
      list[3] = 4;
      return list;
    },
    '[1,null,null,4]',
  ],
  ['arguments', () => compileFunction('return arguments')(1, 'a') as unknown, '[1,"a"]'],
  [
    'an iterable with a length',
    () => ({
      length: 2,
      *[Symbol.iterator]() {
        yield 1;
        yield 2;
        yield 3;
      },
    }),
    '[1,2]',
  ],
  [
    'an iterable that throws',
    () => ({
      length: 9,
      *[Symbol.iterator]() {
        yield 1;
        throw new Error('end');
      },
    }),
    '[1,"[Threw Error: end]"]',
  ],
  [
    'an iterator over itself that knows its length',
    () => ({
      length: 2,
      next: () => {
        throw new Error('was used up');
      },
      [Symbol.iterator]() {
        return this;
      },
    }),
    '{"length":2}',
  ],
  [
    'a generator',
    () =>
      (function* () {
        yield 1;
      })(),
    '{}',
  ],
  [
    'bytes',
    () => [Buffer.from('hi'), new Uint16Array([1]), new ArrayBuffer(1), new DataView(new ArrayBuffer(2))],
    '["aGk=","AQA=","AA==","AAA="]',
  ],
  ['bytes that were handed to somebody else', handedOn, '["","","",1]'],
  [
    'an error',
    () => Object.assign(new TypeError('bad', { cause: new Error('why') }), { code: 'E_BAD', detail: 1 }),
    '{"name":"TypeError","message":"bad","code":"E_BAD","cause":{"name":"Error","message":"why"},"detail":1}',
  ],
  ['a URL', () => new URL('https://me:word@example.org/x?y'), '"https://******@example.org/x?y"'],
  ['a regular expression', () => /a\/b/gi, '"/a\\\\/b/gi"'],
  [
    'functions with properties of their own',
    () => {
      const app = Object.assign(function app() {}, { settings: { a: 1 }, use() {}, default: null as unknown });
      app.default = app;
      class Model extends Map {
        static readonly schema = ['id'];
        static get sealed() {
          return true;
        }
      }
      const methods = Object.assign(() => 1, { use() {} });
      return { app, method: () => 1, methods, list: [Model, methods, Object.assign(() => 1, { x: undefined })] };
    },
    '{"app":{"settings":{"a":1},"default":"[Reference /app]"},"list":[{"schema":["id"]},"[Function]",{"x":null}]}',
  ],
  [
    'symbols and functions in a list',
    () => [
      Symbol('x'),
      function named() {},
      (
        () => () =>
          1
      )(),
    ],
    '["Symbol(x)","[Function named]","[Function]"]',
  ],
  [
    'what is never entered',
    () => [new WeakMap(), new WeakSet(), new WeakRef({}), Promise.resolve(), new PassThrough(), createServer()],
    '["[WeakMap]","[WeakSet]","[WeakRef]","[Promise]",{"state":"open","toRead":0,"toWrite":0},{"state":"not listening","connections":0}]',
  ],
  [
    'a supervisor that wraps machinery',
    () => ({ state: 'up', stream: new PassThrough() }),
    '{"state":"up","stream":{"state":"open","toRead":0,"toWrite":0}}',
  ],
  ['an emitter', () => Object.assign(Object.create(EventEmitter.prototype), { a: 1 }), '{"a":1}'],
  [
    'proxies, revoked or trapped',
    () => [new Proxy({}, {}), revoked(), trapped, new Proxy(() => 1, {})],
    '["[Proxy]","[Proxy]","[Proxy]","[Proxy]"]',
  ],
  ['a proxy as prototype', () => Object.create(trapped, { a: { value: 1, enumerable: true } }) as unknown, '{"a":1}'],
  ['a spoofed constructor and tag', spoofed, '{"constructor":{"name":"Spoof"},"a":1}'],
  [
    'a map of another realm',
    () => runInNewContext('new Map([["a", [1, { b: new Date(1) }]]])') as unknown,
    '{"a":[1,{"b":1}]}',
  ],
  [
    'keys of Object.prototype',
    () => JSON.parse('{"__proto__":1,"toString":2,"hasOwnProperty":3}') as unknown,
    '{"__proto__":1,"toString":2,"hasOwnProperty":3}',
  ],
  [
    'keys that are no names',
    () =>
      new Map([
        ['a:b:c', 1],
        ['1', 2],
        ['-', 3],
        ['xml', 4],
        ['', 5],
        ['a b', 6],
        ['😀', 7],
      ]),
    '{"a:b:c":1,"1":2,"-":3,"xml":4,"":5,"a b":6,"😀":7}',
  ],
  [
    'keys that look escaped',
    () =>
      new Map([
        ['_x0020_', 1],
        ['_x_', 2],
        ['_xyz', 3],
        ['a_x0020', 4],
      ]),
    '{"_x0020_":1,"_x_":2,"_xyz":3,"a_x0020":4}',
  ],
  [
    'lone surrogates and control characters',
    () => ['\ud800', '\0\x1b', 'a\r\nb\t'],
    '["\\ud800","\\u0000\\u001b","a\\r\\nb\\t"]',
  ],
];
