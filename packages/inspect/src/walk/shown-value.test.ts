import { describe, expect, it } from 'vitest';
import { Masking } from '../masking/masking.ts';
import { everything, nothing, type Secrecy, texts, textsAndNumbers } from '../masking/secret-key.ts';
import { classify, type Shown } from './shown-value.ts';

const masking = new Masking({ secrets: ['hunter22', '12345678', '1970-01'] });
const around = {};
const shownAs = (value: unknown, mark?: 'threw', secrecy: Secrecy = nothing): Shown =>
  classify({ value, mark, secrecy }, 'key', { masking, text: 64, shownAt: new Map([[around, '/around']]) });
const made = (toJSON: (key: string) => unknown) => ({ toJSON });
const throwing = (thrown: unknown) => () => {
  throw thrown;
};
const long = 1n << 40_000n;

describe('a single value is shown with its kind, type and text', () => {
  it.each<[unknown, string, string, string]>([
    [undefined, 'null', 'Null', 'null'],
    [null, 'null', 'Null', 'null'],
    [true, 'boolean', 'Boolean', 'true'],
    [1.5, 'number', 'Number', '1.5'],
    [Number.NaN, 'number', 'Number', 'NaN'],
    [12345678, 'masked', 'Number', '******'],
    [12n, 'bigint', 'BigInt', '12'],
    [12345678n, 'masked', 'BigInt', '******'],
    [Symbol('s'), 'symbol', 'Symbol', 'Symbol(s)'],
    [Symbol('hunter22'), 'symbol', 'Symbol', 'Symbol(******)'],
    [function named() {}, 'function', 'Function', '[Function named]'],
    [new Proxy({}, {}), 'other', 'Proxy', '[Proxy]'],
    [new Date(0), 'date', 'Date', '******-01T00:00:00.000Z'],
    [new Date(86_400_000 * 40), 'date', 'Date', '1970-02-10T00:00:00.000Z'],
    [new Date(12345678), 'masked', 'Date', '******'],
    [new Date(Number.NaN), 'date', 'Date', 'Invalid Date'],
    [/a/g, 'other', 'RegExp', '/a/g'],
    [/hunter22/, 'other', 'RegExp', '/******/'],
    [new URL('http://me@host/'), 'other', 'URL', 'http://******@host/'],
    [new WeakMap(), 'other', 'WeakMap', '[WeakMap]'],
    [Object(5), 'number', 'Number', '5'],
    [Object(true), 'boolean', 'Boolean', 'true'],
    [Object(Symbol('s')), 'symbol', 'Symbol', 'Symbol(s)'],
  ])('%s', (value, kind, type, text) => {
    expect(shownAs(value)).toEqual({ kind, type, text, isCut: false });
  });

  it('and a text and bytes with their size', () => {
    expect(shownAs('a text')).toEqual({ kind: 'string', type: 'String', size: 6, text: 'a text', isCut: false });
    expect(shownAs(Object('boxed'))).toEqual({ kind: 'string', type: 'String', size: 5, text: 'boxed', isCut: false });
    expect(shownAs('a hunter22')).toEqual({ kind: 'string', type: 'String', size: 8, text: 'a ******', isCut: false });
    expect(shownAs(Buffer.from('ab'))).toEqual({ kind: 'binary', type: 'Buffer', size: 2, text: 'YWI=', isCut: false });
    expect(shownAs(Buffer.from('hunter22'))).toMatchObject({ kind: 'binary', text: '******', isCut: false });
  });

  it('and a text that is nothing but a secret as masked, unlike one that only looks so', () => {
    expect(shownAs('hunter22')).toEqual({ kind: 'masked', type: 'String', text: '******', isCut: false });
    expect(shownAs('******')).toEqual({ kind: 'string', type: 'String', size: 6, text: '******', isCut: false });
    expect(shownAs(`hunter22${'x'.repeat(64)}`)).toMatchObject({ kind: 'string', size: 70, isCut: true });
  });

  it('and cut where it is too long, with the size of the whole as it would be shown', () => {
    const text = 'x'.repeat(70);
    expect(shownAs(text)).toEqual({ kind: 'string', type: 'String', size: 70, text: 'x'.repeat(64), isCut: true });
    expect(shownAs(`${text}hunter22`)).toMatchObject({ size: 76, isCut: true });
    const longest = 'x'.repeat(16 * 1024 - 8);
    expect([shownAs(`${longest}hunter22`), shownAs(`${longest}xhunter22`)]).toMatchObject([
      { size: 16 * 1024 - 2 },
      { size: 16 * 1024 + 1 },
    ]);
    expect(shownAs(Symbol(text))).toMatchObject({ kind: 'symbol', text: `Symbol(${'x'.repeat(57)}`, isCut: true });
    expect(shownAs(Buffer.alloc(50))).toEqual({
      kind: 'binary',
      type: 'Buffer',
      size: 50,
      text: 'A'.repeat(64),
      isCut: true,
    });
    expect(shownAs(long)).toMatchObject({ kind: 'bigint', type: 'BigInt', isCut: true });
    expect(shownAs(`${'x'.repeat(63)}😀`)).toMatchObject({ text: 'x'.repeat(63), isCut: true });
    const far = Buffer.from(`${'x'.repeat(60)}hunter22${'x'.repeat(60)}`);
    expect(shownAs(far)).toMatchObject({ text: '******', isCut: true });
  });
});

describe('a marker is shown as such', () => {
  it.each<['threw', string, object]>([
    ['threw', '[Threw Error: no]', { kind: 'threw', type: '', text: '[Threw Error: no]', isCut: false }],
    ['threw', '[Threw Error: hunter22]', { kind: 'threw', type: '', text: '[Threw Error: ******]', isCut: false }],
    ['threw', '[Proxy]', { kind: 'other', type: 'Proxy', text: '[Proxy]', isCut: false }],
  ])('%s %s', (mark, value, shown) => {
    expect(shownAs(value, mark)).toEqual(shown);
  });

  it.each<[unknown, Secrecy, string, 'threw'?]>([
    ['planted', texts, 'masked'],
    [null, texts, 'masked'],
    [5n, texts, 'masked'],
    [Symbol('s'), texts, 'masked'],
    [/a/, texts, 'masked'],
    [Buffer.from('a'), texts, 'masked'],
    [new Proxy({}, {}), texts, 'masked'],
    ['[Threw Error: planted]', texts, 'masked', 'threw'],
    [made(throwing(new Error('planted'))), texts, 'masked'],
    [made(() => 'planted'), texts, 'masked'],
    [made(() => Buffer.from('planted')), texts, 'masked'],
    [1, texts, 'number'],
    [true, texts, 'boolean'],
    [new Date(0), texts, 'date'],
    [made(() => 1), texts, 'number'],
    [1, textsAndNumbers, 'masked'],
    [true, textsAndNumbers, 'masked'],
    [new Date(0), textsAndNumbers, 'masked'],
    [1, everything, 'masked'],
    [{}, everything, 'masked'],
  ])('where %s is secret (%s): %s', (value, secrecy, kind, mark) => {
    expect(shownAs(value, mark, secrecy)).toMatchObject({ kind });
  });

  it('where a container is around itself', () => {
    const reference = {
      kind: 'reference',
      type: 'Object',
      text: '[Reference /around]',
      isCut: false,
      target: '/around',
    };
    expect(shownAs(around)).toEqual(reference);
    expect(shownAs(made(() => around))).toEqual(reference);
  });
});

describe('a container is shown with its kind and type', () => {
  class Bean {}
  class Queue {
    length = 0;
    [Symbol.iterator]() {
      return [][Symbol.iterator]();
    }
  }

  it.each<[object, string, string]>([
    [{}, 'object', 'Object'],
    [new Bean(), 'object', 'Bean'],
    [[], 'array', 'Array'],
    [new Queue(), 'array', 'Queue'],
    [new Map(), 'map', 'Map'],
    [new Set(), 'set', 'Set'],
    [new Error('no'), 'object', 'Error'],
  ])('%s', (container, kind, type) => {
    expect(shownAs(container)).toEqual({ kind, type, container, identities: [container], secrecy: nothing });
  });

  it('and a class whose name is a secret is not named', () => {
    const Named = Object.defineProperty(class {}, 'name', { value: 'hunter22' });
    expect(shownAs(new Named())).toMatchObject({ kind: 'object', type: '******' });
  });

  it('and by what toJSON makes of it, which has its type', () => {
    const list: unknown[] = [];
    const maker = made(() => list);
    expect(shownAs(maker)).toEqual({
      kind: 'array',
      type: 'Object',
      container: list,
      identities: [maker, list],
      secrecy: nothing,
    });
    const itself = {
      toJSON() {
        return this;
      },
    };
    expect(shownAs(itself)).toEqual({
      kind: 'object',
      type: 'Object',
      container: itself,
      identities: [itself],
      secrecy: nothing,
    });
    const type = 'Object';
    expect(shownAs(made((key) => key))).toEqual({ kind: 'string', type, size: 3, text: 'key', isCut: false });
    expect(shownAs(made(() => null))).toEqual({ kind: 'null', type, text: 'null', isCut: false });
    expect(shownAs(made(() => new Proxy({}, {})))).toEqual({ kind: 'other', type, text: '[Proxy]', isCut: false });
    expect(shownAs(made(() => Buffer.from('a')))).toMatchObject({ kind: 'binary', type, text: 'YQ==' });
    expect(shownAs(made(throwing(new Error('no'))))).toEqual({
      kind: 'threw',
      type: '',
      text: '[Threw Error: no]',
      isCut: false,
    });
    expect(shownAs(made(throwing('hunter22')))).toMatchObject({ kind: 'threw', text: '[Threw ******]' });
  });
});
