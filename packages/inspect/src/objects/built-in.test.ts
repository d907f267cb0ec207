import { generateKeyPairSync } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { createServer } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { Masking } from '../masking/masking.ts';
import { builtInScalar, bytesOf, numberScalar } from './built-in.ts';
import { shownBytes } from './shown-text.ts';

const throwing = () => {
  throw new Error('code of the bean was called');
};

/** Not a literal, since the language that is compiled to does not have it. */
const flagOfSets = 'v';

const replaced = [
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

/** An object of a class whose methods are all replaced. */
function disguised<Value extends object>(object: Value): Value {
  for (const name of replaced) Object.defineProperty(object, name, { get: throwing, configurable: true });
  return object;
}

const timeout = setTimeout(() => undefined, 0);
const immediate = setImmediate(() => undefined);
clearTimeout(timeout);
clearImmediate(immediate);

describe('a built-in', () => {
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
    ['a URL', new URL('http://host/a?b#c'), 'http://host/a?b#c'],
    ['a promise', Promise.resolve(1), '[Promise]'],
    ['a weak map', new WeakMap(), '[WeakMap]'],
    ['a weak set', new WeakSet(), '[WeakSet]'],
    ['a weak reference', new WeakRef({}), '[WeakRef]'],
    ['a registry', new FinalizationRegistry(() => undefined), '[FinalizationRegistry]'],
    ['a stream', Readable.from([]), '[Readable]'],
    ['a web stream', new ReadableStream(), '[ReadableStream]'],
    ['a writable web stream', new WritableStream(), '[WritableStream]'],
    ['a transforming web stream', new TransformStream(), '[TransformStream]'],
    ['a server', createServer(), '[Server]'],
    ['a key', generateKeyPairSync('ed25519').privateKey, '[PrivateKeyObject]'],
    ['a timeout', timeout, '[Timeout]'],
    ['an immediate', immediate, '[Immediate]'],
    ['an object', {}, undefined],
    ['a list', [], undefined],
    ['a map', new Map(), undefined],
    ['an emitter', new EventEmitter(), undefined],
    ['an error', new Error('no'), undefined],
    ['an object that inherits from a URL', Object.create(URL.prototype) as object, undefined],
    ['an object that inherits from a date', Object.create(Date.prototype) as object, undefined],
  ])('is one value, whatever replaces its methods: %s', (_, object, shown) => {
    expect(builtInScalar(object)).toBe(shown);
    expect(builtInScalar(disguised(object))).toBe(shown);
  });

  it('number is a text where JSON has no number for it', () => {
    const numbers = [1, -0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    expect(numbers.map(numberScalar)).toEqual([1, -0.5, 'NaN', 'Infinity', '-Infinity']);
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

  it('is shown as a time or a text, also when it was added later', () => {
    const instances = [new Instant(), new PlainDate(), new (class extends PlainDate {})(), disguised(new PlainDate())];
    const inheriting = [Instant, PlainDate].map((type) => Object.create(type.prototype) as object);
    delete scope.Temporal;
    expect(builtInScalar(new Instant())).toBeUndefined();
    scope.Temporal = { Instant, PlainDate };
    expect(instances.map((each) => builtInScalar(each))).toEqual([5, '2019-12-24', '2019-12-24', '2019-12-24']);
    expect([{}, ...inheriting].map((each) => builtInScalar(each))).toEqual([undefined, undefined, undefined]);
  });
});

describe('bytes', () => {
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
  ])('of %s are all of them', (_, object, bytes) => {
    expect([...(bytesOf(object) ?? [])]).toEqual(bytes);
  });

  it.each<[string, () => ArrayBuffer]>([
    ['a length of its own', () => Object.defineProperty(new ArrayBuffer(2), 'byteLength', { get: throwing })],
    ['another prototype', () => Object.setPrototypeOf(new ArrayBuffer(2), {}) as ArrayBuffer],
  ])('are shown if the memory has %s', (_, make) => {
    const buffer = make();
    for (const object of [buffer, new Uint8Array(buffer)]) {
      const masking = new Masking({ secrets: ['planted'] });
      expect(shownBytes(bytesOf(object) ?? new Uint8Array(1), 64, masking)).toEqual({ text: 'AAA=', left: 0 });
    }
  });

  it('are none if the memory was transferred, and if there is none', () => {
    const gone = new Uint8Array(2);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    expect([gone, gone.buffer].map((object) => bytesOf(object)?.length)).toEqual([0, 0]);
    const none = [{}, [1], Object.create(Uint8Array.prototype) as object];
    expect(none.map(bytesOf)).toEqual([undefined, undefined, undefined]);
  });
});
