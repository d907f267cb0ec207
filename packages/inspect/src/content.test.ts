import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { shown, written } from '../test-fixtures/shown.ts';
import { find } from './find.ts';
import { outline } from './outline.ts';
import { builtInViews } from './views/built-in-views.ts';
import type { View } from './views/view.ts';

const storeOf = (state: unknown) => ({
  dispatch() {},
  subscribe() {},
  replaceReducer() {},
  getState: () => state,
});

const viewOf = (content: (value: object) => unknown, isIt: (value: object) => boolean): View => ({
  name: 'test',
  matches: (value): value is object => isIt(value),
  content,
});

class Hidden {
  readonly #inside: unknown;
  constructor(inside: unknown) {
    this.#inside = inside;
  }
  static inside = (hidden: object) => (hidden as Hidden).#inside;
}

const isHidden = (value: object) => value instanceof Hidden;
const views = [viewOf(Hidden.inside, isHidden)];

const all = { views: [...views, ...builtInViews] };

describe('an object of which nothing is to be seen', () => {
  const numbers = new Intl.NumberFormat('de');
  it.each([
    ['Headers', new Headers({ accept: 'a', authorization: 'hunter2' }), '{"accept":"a","authorization":"******"}'],
    ['a format', numbers, JSON.stringify(numbers.resolvedOptions())],
    ['a store', storeOf({ cart: [1], user: { token: 'abc' } }), '{"cart":[1],"user":{"token":"******"}}'],
    ['a store of a single value', storeOf(5), '5'],
    ['a class with a private field', new Hidden(new Map([['a', 1]])), '{"a":1}'],
    ['an object with other properties', Object.assign(new Hidden({ open: 1 }), { closed: [] }), '{"open":1}'],
  ])('shows its content: %s', (_name, value, json) => {
    expect(written(value, all)).toBe(json);
    expect(written([{ value }, value], all)).toBe(`[{"value":${json}},${json}]`);
    expect(written({ value }, { ...all, at: '/value' })).toBe(json);
  });

  it('is shown without the view by raw, and in the same form in XML', () => {
    const beans = { headers: new Headers({ a: 'b' }), store: storeOf({ a: [1] }) };
    const names = ['dispatch', 'subscribe', 'replaceReducer', 'getState'];
    const methods = Object.fromEntries(names.map((name) => [name, `[Function ${name}]`]));
    for (const options of [{ raw: true }, { views: [] }])
      expect(shown(beans, options)).toEqual({ headers: {}, store: methods });
    expect(written(beans, { format: 'xml' })).toBe(
      '<Object><headers><a>b</a></headers><store><a><item>1</item></a></store></Object>',
    );
    expect(written(beans.headers, { format: 'xml' })).toBe('<Headers><a>b</a></Headers>');
    expect(written({ headers: beans.headers }, { format: 'xml', raw: true })).toBe('<Object><headers/></Object>');
  });

  it('can be entered by at, outlined and searched', async () => {
    const bean = { store: storeOf({ user: { name: 'Ada' } }) };
    expect(written(bean, { at: '/store/user' })).toBe('{"name":"Ada"}');
    expect(() => written(bean, { at: '/store/user', raw: true })).toThrow('at leads to nothing');
    const [row] = outline(bean, { levels: 3 }).entries;
    expect([row?.kind, row?.size, row?.entries?.entries[0]?.preview]).toEqual(['object', 1, '{ name: "Ada" }']);
    expect(outline(bean, { raw: true }).entries[0]?.size).toBe(4);
    expect((await find(bean, 'ada')).hits[0]?.pointer).toBe('/store/user/name');
    expect((await find(bean, 'ada', { raw: true })).hits).toEqual([]);
  });

  it('includes a built-in such as a stream, where a view knows its content', () => {
    const server = createServer();
    const known = [
      viewOf(
        () => ({ listens: false }),
        (value) => value === server,
      ),
    ];
    expect(written({ server }, { raw: true })).toBe('{"server":"[Server]"}');
    expect(written({ server }, { views: [] })).toBe('{"server":"[Server]"}');
    expect(written({ server }, { views: known })).toBe('{"server":{"listens":false}}');
    expect(written(server, { views: known, at: '/listens' })).toBe('false');
    expect(outline({ server }, { views: known }).entries[0]).toMatchObject({ kind: 'object', type: 'Server', size: 1 });
    const same = [
      viewOf(
        (value) => value,
        (value) => value === server,
      ),
    ];
    expect(written({ server }, { views: same })).toBe('{"server":"[Server]"}');
  });

  it('is a marker when its content throws or is a promise, and shown as it is when its view throws', async () => {
    const bean = { hidden: new Hidden(1) };
    const broken = [viewOf(() => JSON.parse('{'), isHidden)];
    expect(shown(bean, { views: broken })).toEqual({ hidden: expect.stringMatching(/^\[Threw SyntaxError: /) });
    expect(outline(bean, { views: broken }).entries[0]?.kind).toBe('threw');
    const promised = [viewOf(() => Promise.reject(new Error('unhandled')), isHidden)];
    expect(shown(bean, { views: promised })).toEqual({ hidden: '[Promise]' });
    const unsure = [viewOf(Hidden.inside, () => expect.unreachable())];
    expect(shown(bean, { views: unsure })).toEqual({ hidden: {} });
    await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it('may contain itself, be closed, or be large and occur again', () => {
    const state: Record<string, unknown> = { name: 'Ada' };
    const store = storeOf(state);
    Object.assign(state, { store, state });
    expect(written({ store })).toBe(
      '{"store":{"name":"Ada","store":"[Reference /store]","state":"[Reference /store]"}}',
    );
    expect(written({ store }, { closed: new Set([state]) })).toBe('{"store":"[Closed]"}');
    expect(written({ store }, { closed: new Set([store]) })).toBe('{"store":"[Closed]"}');
    const large = Array.from({ length: 101 }, () => 0);
    const hidden = new Hidden(large);
    expect(written([hidden, hidden, large], { views })).toBe(
      `[${JSON.stringify(large)},"[Reference /0]","[Reference /0]"]`,
    );
  });

  it('is as secret as the key that it stands behind', () => {
    const data = new Map([['owner', 'Ada']]);
    const bean = { token: new Hidden(data), apiKey: new Hidden('Ada'), hidden: new Hidden(data) };
    const masked = { token: { owner: '******' }, apiKey: '******', hidden: { owner: 'Ada' } };
    expect(shown({ bean }, { views, reveal: [] })).toEqual({ bean: masked });
    const store = storeOf({ password: 'hunter-2222', note: 'hunter-2222' });
    const learned = { store: { password: '******', note: '******' }, other: '******' };
    expect(shown({ store, other: 'hunter-2222' })).toEqual(learned);
    const account = new Hidden({ iban: 'DE02' });
    expect(shown({ account }, { views, mask: ['/account/iban'] })).toEqual({ account: { iban: '******' } });
  });
});

describe('plain data, a list, a map, a set, bytes and a date', () => {
  it('are shown without asking a view', () => {
    const counting = [
      viewOf(
        () => 'content',
        () => ++asked > 0,
      ),
    ];
    let asked = 0;
    const plain = [{ a: 1, run() {} }, {}, Object.create(null) as object, [], new Map(), new Set()];
    const beans = [...plain, new Uint8Array(2), new Date(0)];
    expect(written(beans, { views: counting })).toBe(written(beans, { raw: true }));
    outline(beans, { views: counting, levels: 3 });
    expect(asked).toBe(0);
  });
});
