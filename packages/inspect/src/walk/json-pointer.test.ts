import { describe, expect, it } from 'vitest';
import { written } from '../../test-fixtures/shown.ts';
import { inspect } from '../inspect.ts';
import { outline } from '../outline.ts';
import { pointerTo, pointerTokens } from './pointer.ts';

describe('a JSON Pointer', () => {
  it.each([
    ['', []],
    ['/', ['']],
    ['/a', ['a']],
    ['/a/0/b', ['a', '0', 'b']],
    ['/a~1b/c~0d', ['a/b', 'c~d']],
    ['/~01', ['~1']],
    ['//', ['', '']],
  ])('%j has the tokens %j, and back', (pointer, tokens) => {
    expect(pointerTokens(pointer)).toEqual(tokens);
    expect(pointerTo(tokens)).toBe(pointer);
  });

  it.each(['a', 'a/b', '/~', '/~2', '/a~'])('is not %j', (text) => {
    expect(pointerTokens(text)).toBeUndefined();
    expect(() => inspect({}, { at: text })).toThrow('at must be a JSON Pointer such as /a/0/b');
  });
});

describe('at', () => {
  const inner = { b: 1 };
  const bean = {
    list: [inner, 'x'],
    set: new Set([inner]),
    map: new Map<unknown, unknown>([
      ['a', inner],
      [1, 'one'],
      [true, 'yes'],
      [null, 'none'],
      ['x~y/z', 'escaped'],
    ]),
    entries: new Map<unknown, unknown>([[inner, 'value']]),
    iterable: { length: 3, [Symbol.iterator]: () => ['x', 'y', 'z'].values() },
    made: { toJSON: (key: string) => ({ key, inside: [1, 2] }) },
    text: { toJSON: () => 'text' },
    date: { toJSON: () => new Date(5) },
    bytes: { toJSON: () => Buffer.from('a') },
    proxied: { toJSON: () => new Proxy({ a: 1 }, {}) },
    proxies: [new Proxy({ a: 1 }, {}), new Proxy([1], {})],
    buffer: Buffer.from('ab'),
    url: new URL('http://host/'),
    error: new Error('no'),
    get broken() {
      throw new Error('no');
    },
    token: { a: 'planted', count: 1 },
    tokens: [['a'], new Map([['a', 'planted']]), new Map<unknown, unknown>([[{}, 'a']])],
    apiKey: new (class Key {
      a = 'shown';
    })(),
    self: null as unknown,
  };
  bean.self = bean;

  it.each([
    ['/list', '[{"b":1},"x"]'],
    ['/list/0/b', '1'],
    ['/list/1', '"x"'],
    ['/set/0', '{"b":1}'],
    ['/map/a/b', '1'],
    ['/map/1', '"one"'],
    ['/map/true', '"yes"'],
    ['/map/null', '"none"'],
    ['/map/x~0y~1z', '"escaped"'],
    ['/entries/0/key', '{"b":1}'],
    ['/entries/0/value', '"value"'],
    ['/iterable/2', '"z"'],
    ['/made/key', '"made"'],
    ['/made/inside', '[1,2]'],
    ['/error/message', '"no"'],
    ['/self/self/set/0', '{"b":1}'],
    // Markers, and what is as secret as its place in the bean.
    ['/broken', '"[Threw Error: no]"'],
    ['/token', '{"a":"******","count":1}'],
    ['/token/a', '"******"'],
    ['/tokens/0/0', '"******"'],
    ['/tokens/1/a', '"******"'],
    ['/tokens/2/0/value', '"******"'],
    ['/apiKey/a', '"shown"'],
  ])('%j leads to %s', (at, document) => {
    expect(written(bean, { at })).toBe(document);
  });

  it('"" leads to the whole', () => {
    expect(written(bean, { at: '' })).toBe(written(bean));
  });

  it.each([
    ['/token/a', { reveal: ['/token'] }, '"planted"'],
    ['/tokens/0/0', { reveal: ['/tokens/0'] }, '"a"'],
    [
      '/list/1',
      { mask: ({ path, value }: { path: string; value: unknown }) => path === '/list/1' && value === 'x' },
      '"******"',
    ],
    ['/list', { mask: ['list'] }, '"******"'],
  ])('%j with %o leads to %s', (at, options, document) => {
    expect(written(bean, { at, ...options })).toBe(document);
  });

  it.each([
    ...'2 -1 01 00 - 1.0 x0 0x length 1/length'.split(' ').map((index) => `/list/${index}`),
    ...'/set/1 /set/x /map/b /map/01 /entries/1 /entries/0/other /iterable/3 /text/0 /date/a /bytes/0'.split(' '),
    ...'/proxied/a /proxies/0/a /proxies/1/0 /buffer/0 /url/href /error/stack /broken/message'.split(' '),
    ...'/token/a/0 /nothing /toString /constructor /'.split(' '),
  ])('%j leads to nothing', (at) => {
    expect(() => inspect(bean, { at })).toThrow(
      expect.objectContaining({
        code: 'JIG_INSPECTION_PART_MISSING',
        message: 'at leads to nothing in the inspected value; look at the whole of it first',
      }),
    );
  });

  it('leads into a stack only when stacks are shown, and not into a masked value', () => {
    expect(written(bean, { at: '/error/stack', stacks: true })).toContain('no');
    expect(() => inspect(bean, { at: '/list/0', mask: ['list'] })).toThrow('at leads to nothing');
  });

  it('runs the getter that it leads to, and no other', () => {
    let reads = 0;
    const beside = {
      get first() {
        return reads++;
      },
      second: 2,
      get method() {
        return () => 1;
      },
      set set(_: number) {
        reads++;
      },
    };
    expect(written(beside, { at: '/second' })).toBe('2');
    for (const at of ['/method', '/set']) expect(() => inspect(beside, { at })).toThrow('at leads to nothing');
    expect(reads).toBe(0);
    expect(written(beside, { at: '/first' })).toBe('0');
  });

  it('closes an iterator on the way', () => {
    let closed = 0;
    const iterable = {
      length: 9,
      *[Symbol.iterator]() {
        try {
          for (;;) yield 'x';
        } finally {
          closed++;
        }
      },
    };
    expect([written(iterable, { at: '/1' }), closed]).toEqual(['"x"', 1]);
    expect(() => inspect(iterable, { at: '/9' })).toThrow('at leads to nothing');
    expect(closed).toBe(2);
  });

  it('leads to a marker, which an outline tells from a text', () => {
    expect(outline(bean, { at: '/broken' })).toMatchObject({ kind: 'threw', text: '[Threw Error: no]' });
  });
});
