import { generateKeyPairSync } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { createServer } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { builtInScalar, bytesOf, numberScalar } from './built-in.ts';

const throwing = () => {
  throw new Error('code of the bean was called');
};

/** Not a literal, since the language that is compiled to does not have it. */
const flagOfSets = 'v';

/** An object of a class whose methods are all replaced. */
function disguised<Value extends object>(object: Value): Value {
  const names = [
    'valueOf',
    'toString',
    'toJSON',
    'getTime',
    'href',
    'source',
    'flags',
    'global',
    'buffer',
    'byteLength',
  ];
  for (const name of names) Object.defineProperty(object, name, { get: throwing, configurable: true });
  return object;
}

describe('a built-in that is one value', () => {
  it.each<[string, object, unknown]>([
    ['a date', new Date(5), 5],
    ['an invalid date', new Date(Number.NaN), null],
    ['a pattern', /a\/b/dgimsuy, '/a\\/b/dgimsuy'],
    ['a pattern without flags', /a/, '/a/'],
    ['a pattern of sets', new RegExp('a', flagOfSets), '/a/v'],
    ['a text', Object('a') as object, 'a'],
    ['a number', Object(1.5) as object, 1.5],
    ['no number', Object(Number.NaN) as object, 'NaN'],
    ['a boolean', Object(false) as object, false],
    ['a BigInt', Object(7n) as object, 7n],
    ['a symbol', Object(Symbol('s')) as object, 'Symbol(s)'],
    ['an address', new URL('http://host/a?b#c'), 'http://host/a?b#c'],
  ])('is shown as it is, whatever replaces its methods: %s', (_, object, shown) => {
    expect(builtInScalar(object)).toBe(shown);
    expect(builtInScalar(disguised(object))).toBe(shown);
  });

  it.each<[string, object, string]>([
    ['a promise', Promise.resolve(1), '[Promise]'],
    ['a weak map', new WeakMap(), '[WeakMap]'],
    ['a weak set', new WeakSet(), '[WeakSet]'],
    ['a weak reference', new WeakRef({}), '[WeakRef]'],
    ['a registry', new FinalizationRegistry(() => undefined), '[FinalizationRegistry]'],
    ['a stream', Readable.from([]), '[Readable]'],
    ['a web stream', new ReadableStream(), '[ReadableStream]'],
    ['a stream to write to', new WritableStream(), '[WritableStream]'],
    ['a stream that changes', new TransformStream(), '[TransformStream]'],
    ['a server', createServer(), '[Server]'],
    ['a key', generateKeyPairSync('ed25519').privateKey, '[PrivateKeyObject]'],
  ])('is named and not entered when it is a built-in without content: %s', (_, object, shown) => {
    expect(builtInScalar(object)).toBe(shown);
  });

  it('is named when it is a timer', () => {
    const timeout = setTimeout(() => undefined, 0);
    const immediate = setImmediate(() => undefined);
    clearTimeout(timeout);
    clearImmediate(immediate);
    expect([builtInScalar(timeout), builtInScalar(immediate)]).toEqual(['[Timeout]', '[Immediate]']);
  });

  it.each<[string, object]>([
    ['an object', {}],
    ['a list', []],
    ['a map', new Map()],
    ['an emitter', new EventEmitter()],
    ['an error', new Error('no')],
    ['what only inherits from an address', Object.create(URL.prototype) as object],
    ['what only inherits from a date', Object.create(Date.prototype) as object],
  ])('is not %s', (_, object) => {
    expect(builtInScalar(object)).toBeUndefined();
  });

  it('is a number or, if JSON has none, a string', () => {
    expect([1, -0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map(numberScalar)).toEqual([
      1,
      -0.5,
      'NaN',
      'Infinity',
      '-Infinity',
    ]);
  });
});

describe('Temporal', () => {
  const scope = globalThis as { Temporal?: unknown };
  const own = scope.Temporal;
  afterEach(() => {
    if (own === undefined) delete scope.Temporal;
    else scope.Temporal = own;
  });

  class Instant {
    readonly #time = 5;
    get epochMilliseconds() {
      return this.#time;
    }
  }
  class PlainDate {
    readonly #text = '2019-12-24';
    toString() {
      return this.#text;
    }
  }
  class Duration {
    readonly #text = 'PT1H';
    toString() {
      return this.#text;
    }
  }

  it('is shown as a time or a string, also when Temporal was added later', () => {
    scope.Temporal = { Instant, PlainDate, Duration };
    expect(builtInScalar(new Instant())).toBe(5);
    expect(builtInScalar(new PlainDate())).toBe('2019-12-24');
    expect(builtInScalar(new Duration())).toBe('PT1H');
    expect(builtInScalar(new (class extends PlainDate {})())).toBe('2019-12-24');
    expect(builtInScalar(disguised(new PlainDate()))).toBe('2019-12-24');
    expect([builtInScalar({}), builtInScalar(Object.create(Instant.prototype) as object)]).toEqual([
      undefined,
      undefined,
    ]);
    expect(builtInScalar(Object.create(PlainDate.prototype) as object)).toBeUndefined();
  });

  it('is not required', () => {
    delete scope.Temporal;
    expect(builtInScalar(new Instant())).toBeUndefined();
    expect(builtInScalar(new PlainDate())).toBeUndefined();
  });
});

describe('the bytes', () => {
  const memory = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]).buffer;
  const shared = new SharedArrayBuffer(2);

  it.each<[string, object, number[]]>([
    ['a buffer', Buffer.from([1, 2]), [1, 2]],
    ['a view of some', new Uint8Array(memory, 2, 3), [3, 4, 5]],
    ['wider units', new Uint16Array(memory, 2, 2), [3, 4, 5, 6]],
    ['a data view', new DataView(memory, 1, 2), [2, 3]],
    ['memory', memory, [1, 2, 3, 4, 5, 6, 7, 8]],
    ['shared memory', shared, [0, 0]],
    ['none', new Uint8Array(), []],
  ])('of %s, whatever replaces its properties', (_, object, bytes) => {
    expect([...(bytesOf(object) ?? [])]).toEqual(bytes);
    expect([...(bytesOf(object) ?? [])]).toEqual(bytes);
  });

  it.each<[string, () => ArrayBuffer]>([
    ['a length of its own', () => Object.defineProperty(new ArrayBuffer(2), 'byteLength', { get: throwing })],
    ['another prototype', () => Object.setPrototypeOf(new ArrayBuffer(2), {}) as ArrayBuffer],
  ])('are copied where the memory has %s', (_, make) => {
    const buffer = make();
    for (const object of [buffer, new Uint8Array(buffer)]) {
      const bytes = bytesOf(object);
      expect([...(bytes ?? [1])]).toEqual([0, 0]);
      expect(bytes?.buffer).not.toBe(buffer);
    }
  });

  it('are not copied otherwise', () => {
    expect(bytesOf(memory)?.buffer).toBe(memory);
    expect(bytesOf(shared)?.buffer).toBe(shared);
    expect(bytesOf(disguised(new Uint8Array(memory)))?.buffer).toBe(memory);
  });

  it('are none when the memory was transferred or is empty', () => {
    const gone = new Uint8Array(2);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    expect([bytesOf(gone)?.length, bytesOf(gone.buffer)?.length]).toEqual([0, 0]);
    expect([bytesOf({}), bytesOf([1]), bytesOf(Object.create(Uint8Array.prototype) as object)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
