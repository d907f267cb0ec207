import { describe, expect, it } from 'vitest';
import { type InspectionOptions, resolveOptions } from '../inspection-options.ts';
import { everything, nothing, texts } from '../masking/secret-key.ts';
import { partAt } from './json-pointer.ts';
import { pointerTo, pointerTokens } from './pointer.ts';
import type { Part } from './shown-value.ts';

const part = (value: unknown, at: string, options: InspectionOptions = {}): Part =>
  partAt(value, resolveOptions({ at, ...options }));

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
  });
});

describe('a pointer leads', () => {
  const inner = { b: 1 };
  const bean = {
    list: [inner, 'x'],
    set: new Set([inner]),
    map: new Map<unknown, unknown>([
      ['a', inner],
      [1, 'one'],
      [true, 'yes'],
      [null, 'none'],
      ['x~y', 'escaped'],
    ]),
    entries: new Map<unknown, unknown>([[inner, 'value']]),
    iterable: { length: 3, [Symbol.iterator]: () => ['x', 'y', 'z'].values() },
    made: { toJSON: (key: string) => ({ key }) },
    text: { toJSON: () => 'text' },
    date: { toJSON: () => new Date(5) },
    bytes: { toJSON: () => Buffer.from('a') },
    proxied: { toJSON: () => new Proxy({ a: 1 }, {}) },
    buffer: Buffer.from('ab'),
    url: new URL('http://host/'),
    error: new Error('no'),
    self: undefined as unknown,
    get got() {
      return { it: true };
    },
    get broken() {
      throw new Error('no');
    },
    token: { a: 'planted' },
  };
  bean.self = bean;

  it.each<[string, unknown]>([
    ['', bean],
    ['/list', bean.list],
    ['/list/0/b', 1],
    ['/list/1', 'x'],
    ['/set/0', inner],
    ['/map/a/b', 1],
    ['/map/1', 'one'],
    ['/map/true', 'yes'],
    ['/map/null', 'none'],
    ['/map/x~0y', 'escaped'],
    ['/self/self/list/1', 'x'],
    ['/got/it', true],
    ['/entries/0/key', inner],
    ['/entries/0/value', 'value'],
    ['/iterable/2', 'z'],
    ['/made/key', 'made'],
    ['/error/message', 'no'],
  ])('by %j', (at, value) => {
    expect(part(bean, at)).toEqual({ value, mark: undefined, secrecy: nothing });
  });

  it('by an index into a map that is shown as a list', () => {
    const map = new Map<unknown, unknown>([
      ['a', inner],
      [inner, 1],
    ]);
    expect(part({ map }, '/map/1/value').value).toBe(1);
    expect(part({ tokens: new Map([['a', 'planted']]) }, '/tokens/a').secrecy).toBe(texts);
  });

  it('to markers, which say what they are', () => {
    expect(part(bean, '/broken')).toEqual({ value: '[Threw Error: no]', mark: 'threw', secrecy: nothing });
    expect(part(bean, '/token')).toEqual({ value: bean.token, mark: undefined, secrecy: texts });
    expect(part(bean, '/token/a')).toEqual({ value: 'planted', mark: undefined, secrecy: texts });
    expect(part({ tokens: [['a']] }, '/tokens/0/0').secrecy).toBe(texts);
    expect(part({ tokens: [['a']] }, '/tokens/0/0', { reveal: ['/tokens/0'] }).secrecy).toBe(nothing);
    expect(part({ tokens: new Map([[{}, 'a']]) }, '/tokens/0/value').secrecy).toBe(texts);
    expect(
      part(
        {
          token: new (class Token {
            a = 'x';
          })(),
        },
        '/token/a',
      ).secrecy,
    ).toBe(nothing);
    expect(part(bean, '/list/1', { mask: ({ path, value }) => path === '/list/1' && value === 'x' })).toMatchObject({
      secrecy: everything,
    });
    expect(part(bean, '/token/a', { reveal: ['/token'] })).toEqual({
      value: 'planted',
      mark: undefined,
      secrecy: nothing,
    });
    expect(part({ a: { token: 'shown' } }, '/a/token', { reveal: ['/a/token'] }).value).toBe('shown');
  });

  it('nowhere in what is masked as a whole', () => {
    expect(() => part(bean, '/list/0', { mask: ['list'] })).toThrow('at leads to nothing');
  });

  it.each([
    '/list/2',
    '/list/-1',
    '/list/01',
    '/list/1.0',
    '/list/x0',
    '/list/0x',
    '/list/length',
    '/list/-',
    '/list/00',
    '/toString',
    '/constructor',
    '/',
    '/token/a/0',
    '/set/1',
    '/set/x',
    '/map/b',
    '/map/01',
    '/entries/1',
    '/entries/0/other',
    '/iterable/3',
    '/text/0',
    '/date/a',
    '/bytes/0',
    '/proxied/a',
    '/buffer/0',
    '/url/href',
    '/error/stack',
    '/list/1/length',
    '/broken/message',
    '/nothing',
  ])('nowhere by %j', (at) => {
    expect(() => part(bean, at)).toThrow(
      expect.objectContaining({
        code: 'JIG_INSPECTION_PART_MISSING',
        message: 'at leads to nothing in the inspected value; look at the whole of it first',
      }),
    );
  });

  it('into a stack only when stacks are shown, and into no proxy', () => {
    expect(part(bean, '/error/stack', { stacks: true }).value).toContain('no');
    const proxy = { proxy: new Proxy({ a: [1] }, {}), list: new Proxy([1], {}) };
    expect(() => part(proxy, '/proxy/a')).toThrow('at leads to nothing');
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    expect(() => part([revoked.proxy], '/0/a')).toThrow('at leads to nothing');
  });

  it('through an iterable, which is closed on the way', () => {
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
    expect([part(iterable, '/1').value, closed]).toEqual(['x', 1]);
    expect(() => part(iterable, '/9')).toThrow('at leads to nothing');
    expect(closed).toBe(2);
  });
});
