import { EventEmitter } from 'node:events';
import { createServer } from 'node:net';
import { PassThrough } from 'node:stream';
import { compileFunction, runInNewContext } from 'node:vm';

/** A bean that is hard to show, and what is to be shown. */
export interface AwkwardBean {
  readonly what: string;
  readonly bean: () => unknown;
  readonly json: string;
  /** Of beans that are awkward in XML alone; otherwise it has the same entries as the JSON. */
  readonly xml?: string;
}

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

function cycle(): object {
  const list: unknown[] = [];
  const bean = { name: 'a', inner: { list } };
  list.push(bean, bean.inner);
  return bean;
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

const twice = { n: 1 };

/** Only where this Node has Temporal. */
function temporalBeans(): AwkwardBean[] {
  const { Temporal } = globalThis as unknown as { Temporal?: Record<string, { from(text: string): unknown }> };
  if (Temporal === undefined) return [];
  const texts = { Instant: '1970-01-01T00:00:00.005Z', PlainDate: '2019-12-24', Duration: 'PT1H' };
  return [
    {
      what: 'Temporal',
      bean: () => Object.entries(texts).map(([name, text]) => Temporal[name]?.from(text)),
      json: '[5,"2019-12-24","PT1H"]',
      xml: '<Array><item>5</item><item>2019-12-24</item><item>PT1H</item></Array>',
    },
  ];
}

export const awkwardBeans: readonly AwkwardBean[] = [
  ...temporalBeans(),
  { what: 'undefined', bean: () => undefined, json: 'null' },
  { what: 'null', bean: () => null, json: 'null', xml: '<Null/>' },
  { what: 'a boolean', bean: () => true, json: 'true' },
  { what: 'a number', bean: () => -1.5, json: '-1.5' },
  { what: 'negative zero', bean: () => [-0], json: '[0]' },
  { what: 'NaN', bean: () => Number.NaN, json: '"NaN"' },
  {
    what: 'infinities',
    bean: () => [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
    json: '["Infinity","-Infinity"]',
  },
  { what: 'a bigint', bean: () => 123456789012345678901234567890n, json: '123456789012345678901234567890' },
  { what: 'a date', bean: () => ({ expiration: new Date(1577185199000) }), json: '{"expiration":1577185199000}' },
  { what: 'an invalid date', bean: () => new Date(Number.NaN), json: 'null' },
  {
    what: 'boxed primitives',
    bean: () => [Object('a'), Object(1), Object(false), Object(2n)],
    json: '["a",1,false,2]',
  },
  { what: 'an empty string', bean: () => ({ a: '' }), json: '{"a":""}', xml: '<Object><a/></Object>' },
  { what: 'a plain object', bean: () => ({ b: 1, a: { c: null } }), json: '{"b":1,"a":{"c":null}}' },
  { what: 'an empty object', bean: () => ({}), json: '{}' },
  { what: 'absent values', bean: () => ({ a: undefined, b: null }), json: '{"a":null,"b":null}' },
  { what: 'a null-prototype object', bean: () => Object.assign(Object.create(null), { a: 1 }), json: '{"a":1}' },
  { what: 'a class instance', bean: () => new Point(), json: '{"x":1,"y":2}' },
  {
    what: 'a subclass',
    bean: () => new Point3(),
    json: '{"x":1,"z":3,"y":2,"length":3}',
    xml: '<Point3><x>1</x><z>3</z><y>2</y><length>3</length></Point3>',
  },
  { what: 'an anonymous class', bean: () => new (class {})(), json: '{}' },
  {
    what: 'own accessors',
    bean: () => ({
      get a() {
        return 1;
      },
      set b(_: number) {},
    }),
    json: '{"a":1}',
  },
  { what: 'methods and symbols', bean: () => ({ m() {}, f: () => 1, [Symbol('s')]: 1, a: 1 }), json: '{"a":1}' },
  { what: 'toJSON', bean: () => ({ hidden: 1, toJSON: () => ({ shown: new Date(5) }) }), json: '{"shown":5}' },
  {
    what: 'toJSON that is told its key',
    bean: () => ({ toJSON: (key: string) => ({ key, list: [{ toJSON: (index: string) => index }] }) }),
    json: '{"key":"","list":["0"]}',
  },
  {
    what: 'toJSON that returns itself',
    bean: () => ({
      a: 1,
      toJSON() {
        return this;
      },
    }),
    json: '{"a":1}',
  },
  {
    what: 'toJSON that contains itself',
    bean: () => ({
      toJSON() {
        return { self: this };
      },
    }),
    json: '{"self":"[Reference /]"}',
  },
  {
    what: 'toJSON that throws',
    bean: () => ({
      toJSON() {
        throw new RangeError('no');
      },
    }),
    json: '"[Threw RangeError: no]"',
  },
  {
    what: 'a map',
    bean: () =>
      new Map<unknown, unknown>([
        ['uuid:1', { entity: null }],
        [2, true],
        [null, 1],
      ]),
    json: '{"uuid:1":{"entity":null},"2":true,"null":1}',
    xml: '<Map><uuid:1><entity/></uuid:1><_x0032_>true</_x0032_><null>1</null></Map>',
  },
  { what: 'an empty map', bean: () => ({ params: new Map() }), json: '{"params":{}}' },
  {
    what: 'a map with object keys',
    bean: () =>
      new Map<unknown, unknown>([
        [{ id: 1 }, 'a'],
        ['password', 'b'],
      ]),
    json: '[{"key":{"id":1},"value":"a"},{"key":"password","value":"******"}]',
  },
  {
    what: 'a map with two keys of one name',
    bean: () =>
      new Map<unknown, unknown>([
        [1, 'a'],
        ['1', 'b'],
      ]),
    json: '[{"key":1,"value":"a"},{"key":"1","value":"b"}]',
  },
  { what: 'a map in disguise', bean: disguisedMap, json: '{"a":1}' },
  {
    what: 'an object that only inherits from a built-in',
    bean: () => Object.create(WeakMap.prototype, { a: { value: 1, enumerable: true } }) as unknown,
    json: '{"a":1}',
  },
  { what: 'a set', bean: () => new Set(['a', 'b']), json: '["a","b"]' },
  { what: 'lists in lists', bean: () => [[1], [], [[2]]], json: '[[1],[],[[2]]]' },
  {
    what: 'a sparse array',
    bean: () => {
      const list: unknown[] = [1];
      list[3] = 4;
      return list;
    },
    json: '[1,null,null,4]',
  },
  { what: 'arguments', bean: () => compileFunction('return arguments')(1, 'a') as unknown, json: '[1,"a"]' },
  {
    what: 'an iterable with a length',
    bean: () => ({
      length: 2,
      *[Symbol.iterator]() {
        yield 1;
        yield 2;
        yield 3;
      },
    }),
    json: '[1,2]',
  },
  {
    what: 'an iterable that throws',
    bean: () => ({
      length: 9,
      *[Symbol.iterator]() {
        yield 1;
        throw new Error('end');
      },
    }),
    json: '[1,"[Threw Error: end]"]',
  },
  {
    what: 'an iterator over itself that knows its length',
    bean: () => ({
      length: 2,
      next: () => {
        throw new Error('was used up');
      },
      [Symbol.iterator]() {
        return this;
      },
    }),
    json: '{"length":2}',
  },
  {
    what: 'a generator',
    bean: () =>
      (function* () {
        yield 1;
      })(),
    json: '{}',
  },
  {
    what: 'bytes',
    bean: () => [Buffer.from('hi'), new Uint16Array([1]), new ArrayBuffer(1), new DataView(new ArrayBuffer(2))],
    json: '["aGk=","AQA=","AA==","AAA="]',
  },
  {
    what: 'bytes that were handed to somebody else',
    bean: handedOn,
    json: '["","","",1]',
    xml: '<Array><item/><item/><item/><item>1</item></Array>',
  },
  {
    what: 'an error',
    bean: () => Object.assign(new TypeError('bad', { cause: new Error('why') }), { code: 'E_BAD', detail: 1 }),
    json: '{"name":"TypeError","message":"bad","code":"E_BAD","cause":{"name":"Error","message":"why"},"detail":1}',
  },
  { what: 'a URL', bean: () => new URL('https://me:word@example.org/x?y'), json: '"https://******@example.org/x?y"' },
  { what: 'a regular expression', bean: () => /a\/b/gi, json: '"/a\\\\/b/gi"' },
  {
    what: 'functions with properties of their own',
    bean: () => {
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
    json: '{"app":{"settings":{"a":1},"default":"[Reference /app]"},"list":[{"schema":["id"]},"[Function]",{"x":null}]}',
  },
  {
    what: 'symbols and functions in a list',
    bean: () => [
      Symbol('x'),
      function named() {},
      (
        () => () =>
          1
      )(),
    ],
    json: '["Symbol(x)","[Function named]","[Function]"]',
  },
  { what: 'functions in a map', bean: () => new Map([['f', function named() {}]]), json: '{"f":"[Function named]"}' },
  {
    what: 'what is never entered',
    bean: () => [new WeakMap(), new WeakSet(), new WeakRef({}), Promise.resolve(), new PassThrough(), createServer()],
    json: '["[WeakMap]","[WeakSet]","[WeakRef]","[Promise]",{"state":"open","toRead":0,"toWrite":0},{"state":"not listening","connections":0}]',
  },
  {
    what: 'a supervisor that wraps machinery',
    bean: () => ({ state: 'up', stream: new PassThrough() }),
    json: '{"state":"up","stream":{"state":"open","toRead":0,"toWrite":0}}',
  },
  { what: 'an emitter', bean: () => Object.assign(Object.create(EventEmitter.prototype), { a: 1 }), json: '{"a":1}' },
  {
    what: 'proxies, revoked or trapped',
    bean: () => [new Proxy({}, {}), revoked(), trapped, new Proxy(() => 1, {})],
    json: '["[Proxy]","[Proxy]","[Proxy]","[Proxy]"]',
  },
  {
    what: 'a proxy as prototype',
    bean: () => Object.create(trapped, { a: { value: 1, enumerable: true } }) as unknown,
    json: '{"a":1}',
  },
  { what: 'cycles', bean: cycle, json: '{"name":"a","inner":{"list":["[Reference /]","[Reference /inner]"]}}' },
  { what: 'one object in two places', bean: () => [twice, twice], json: '[{"n":1},{"n":1}]' },
  {
    what: 'a getter that throws',
    bean: () => ({
      get a() {
        throw new TypeError('broken');
      },
      b: 1,
    }),
    json: '{"a":"[Threw TypeError: broken]","b":1}',
  },
  {
    what: 'a getter that throws no error',
    bean: () => ({
      get a() {
        throw 'text';
      },
      get b() {
        throw trapped;
      },
    }),
    json: '{"a":"[Threw text]","b":"[Threw [Proxy]]"}',
  },
  {
    what: 'a getter that returns a promise that fails',
    bean: () => ({
      get a() {
        return Promise.reject(new Error('late'));
      },
    }),
    json: '{"a":"[Promise]"}',
  },
  {
    what: 'a getter that returns its own object',
    bean: () => ({
      a: {
        get me() {
          return this;
        },
      },
    }),
    json: '{"a":{"me":"[Reference /a]"}}',
  },
  {
    what: 'a getter behind a secret key',
    bean: () => ({
      get password() {
        throw new Error('was read');
      },
    }),
    json: '{"password":"******"}',
  },
  { what: 'a spoofed constructor and tag', bean: spoofed, json: '{"constructor":{"name":"Spoof"},"a":1}' },
  {
    what: 'a map of another realm',
    bean: () => runInNewContext('new Map([["a", [1, { b: new Date(1) }]]])') as unknown,
    json: '{"a":[1,{"b":1}]}',
  },
  {
    what: 'keys of Object.prototype',
    bean: () => JSON.parse('{"__proto__":1,"toString":2,"hasOwnProperty":3}') as unknown,
    json: '{"__proto__":1,"toString":2,"hasOwnProperty":3}',
  },
  {
    what: 'keys that are no names',
    bean: () =>
      new Map([
        ['a:b:c', 1],
        ['1', 2],
        ['-', 3],
        ['xml', 4],
        ['', 5],
        ['a b', 6],
        ['😀', 7],
      ]),
    json: '{"a:b:c":1,"1":2,"-":3,"xml":4,"":5,"a b":6,"😀":7}',
    xml: '<Map><a:b:c>1</a:b:c><_x0031_>2</_x0031_><_x002D_>3</_x002D_><xml>4</xml><_x_>5</_x_><a_x0020_b>6</a_x0020_b><_xD83D__xDE00_>7</_xD83D__xDE00_></Map>',
  },
  {
    what: 'keys that look escaped',
    bean: () =>
      new Map([
        ['_x0020_', 1],
        ['_x_', 2],
        ['_xyz', 3],
        ['a_x0020', 4],
      ]),
    json: '{"_x0020_":1,"_x_":2,"_xyz":3,"a_x0020":4}',
    xml: '<Map><_x005F_x0020_>1</_x005F_x0020_><_x005F_x_>2</_x005F_x_><_xyz>3</_xyz><a_x005F_x0020>4</a_x005F_x0020></Map>',
  },
  {
    what: 'lone surrogates and control characters',
    bean: () => ['\ud800', '\0\x1b', 'a\r\nb\t'],
    json: '["\\ud800","\\u0000\\u001b","a\\r\\nb\\t"]',
    xml: '<Array><item>\uFFFD</item><item>\uFFFD\uFFFD</item><item>a&#13;\nb\t</item></Array>',
  },
  {
    what: 'markup',
    bean: () => ({ a: '<b>&"\']]>' }),
    json: '{"a":"<b>&\\"\']]>"}',
    xml: '<Object><a>&lt;b&gt;&amp;"\']]&gt;</a></Object>',
  },
  {
    what: 'secrets by many names',
    bean: () => ({
      dbPassword: 1,
      API_KEY: null,
      'x-auth-token': ['a', 1],
      tokenizer: 'a',
      monkey: 'b',
      privateKey: { pem: 'a', bits: 2048 },
      url: 'redis://:word@h',
    }),
    json: '{"dbPassword":"******","API_KEY":null,"x-auth-token":["******",1],"tokenizer":"a","monkey":"b","privateKey":{"pem":"******","bits":2048},"url":"redis://******@h"}',
  },
];
