import { describe, expect, it } from 'vitest';
import { shown, written } from '../../test-fixtures/shown.ts';
import { JsonWriter } from '../document/json-writer.ts';
import { inspect } from '../inspect.ts';
import { type InspectionOptions, resolveOptions } from '../inspection-options.ts';
import { noSecret } from '../masking/secret-key.ts';
import { Walk } from './walk.ts';

const pairs = (...entries: [unknown, unknown][]) => new Map(entries);
const iterable = (length: number, onClose: () => void = () => undefined) => ({
  length,
  *[Symbol.iterator]() {
    try {
      for (let index = 0; ; index++) yield index;
    } finally {
      onClose();
    }
  },
});

/** The document of a value, and whether a limit has cut it. */
function documentOf(value: unknown, options: InspectionOptions): [string, boolean] {
  const inspection = inspect(value, options);
  return [inspection.toString(), inspection.truncated];
}

describe('a document', () => {
  it.each([
    ['an object', { a: 1, b: 2, c: 3 }, '{"a":1,"b":2,"_more":"[1 more]"}'],
    ['a list', [1, 2, 3, 4], '[1,2,"[2 more]"]'],
    ['a set', new Set([1, 2, 3]), '[1,2,"[1 more]"]'],
    ['an iterable', iterable(1_000_002), '[0,1,"[1,000,000 more]"]'],
    ['a map', pairs(['a', 1], ['b', 2], ['c', 3]), '{"a":1,"b":2,"_more":"[1 more]"}'],
    ['a map as a list', pairs([{}, 1], ['b', 2], [3, 3]), '[{"key":{},"value":1},{"key":"b","value":2},"[1 more]"]'],
    ['an object with such keys', { _more: 1, __more: 2, c: 3 }, '{"_more":1,"__more":2,"___more":"[1 more]"}'],
    ['a map with such keys', pairs(['_more', 1], ['b', 2], [3, 3]), '{"_more":1,"b":2,"__more":"[1 more]"}'],
    ['nested ones', [[1, 2, 3], { a: 1, b: 2, c: 3 }], '[[1,2,"[1 more]"],{"a":1,"b":2,"_more":"[1 more]"}]'],
  ])('shows as many entries as limit says, and how many more there are: %s', (_, value, document) => {
    expect(documentOf(value, { limit: 2 })).toEqual([document, true]);
    expect(documentOf({ value }, { limit: 2 })).toEqual([`{"value":${document}}`, true]);
  });

  it('has no marker and is not truncated when limits leave nothing out', () => {
    const value = [[1, 2], { a: 1, method: () => 1, b: 2 }, 'x'.repeat(64)];
    expect(documentOf(value, { limit: 3, depth: 2, text: 64 })).toEqual([JSON.stringify(value), false]);
    const two = { a: 1, b: 2, method: () => 1, set written(_: number) {} };
    expect(documentOf(two, { limit: 2 })).toEqual(['{"a":1,"b":2}', false]);
  });

  it('closes an iterator at its limit', () => {
    let closed = 0;
    written(
      iterable(3, () => closed++),
      { limit: 2 },
    );
    expect(closed).toBe(1);
  });

  it('begins at entry `from` of the outermost container', () => {
    const value = Array.from({ length: 3_005 }, (_, index) => [index, index]);
    expect(written(value, { from: 3_003 })).toBe('[[3003,3003],[3004,3004]]');
    expect(written(value, { from: 1, limit: 1 })).toBe('[[1,"[1 more]"],"[3,003 more]"]');
    expect(written(value, { from: 9_999 })).toBe('[]');
    expect(written(new Map(value as [number, number][]), { from: 3_004 })).toBe('{"3004":3004}');
    expect(written('a text', { from: 1 })).toBe('"a text"');
    const dictionary = Object.assign(Object.create(null), { a: Number, password: String, b: Boolean }) as object;
    expect(written(dictionary, { from: 1, limit: 1 })).toBe('{"password":"******","_more":"[1 more]"}');
  });

  it.each([
    [1, '{"list":"[Depth limit]","object":"[Depth limit]","set":"[Depth limit]","date":5}'],
    [2, '{"list":["[Depth limit]","a"],"object":{"map":"[Depth limit]"},"set":[1],"date":5}'],
    [3, '{"list":[[1],"a"],"object":{"map":{"a":1}},"set":[1],"date":5}'],
  ])('has %i levels of containers when depth says so', (depth, document) => {
    const value = { list: [[1], 'a'], object: { map: pairs(['a', 1]) }, set: new Set([1]), date: new Date(5) };
    expect(documentOf(value, { depth })).toEqual([document, depth < 3]);
  });

  it.each([
    ['a text', 'x'.repeat(70), `"${'x'.repeat(64)}[6 more]"`],
    ['bytes', Buffer.alloc(50), `"${'A'.repeat(64)}[4 more]"`],
    ['a number', 10n ** 70n, `"1${'0'.repeat(63)}[7 more]"`],
  ])('truncates %s of more characters than text says', (_, value, document) => {
    expect(documentOf([value], { text: 64 })).toEqual([`[${document}]`, true]);
  });

  it.each(['a', 'a/b', 'a~b', ''])('refers to a container under the key %j by its pointer', (key) => {
    const inner: Record<string, unknown> = {};
    inner.self = inner;
    const pointer = `/0/${key.replace('~', '~0').replace('/', '~1')}`;
    expect(shown([{ [key]: inner }])).toEqual([{ [key]: { self: `[Reference ${pointer}]` } }]);
  });

  it('refers to containers that it is in: lists, sets, maps, and results of toJSON', () => {
    const list: unknown[] = [];
    list.push(list, new Set([list]), pairs(['k', list], [{}, list]));
    expect(written(list)).toBe(
      '["[Reference /]",["[Reference /]"],[{"key":"k","value":"[Reference /]"},{"key":{},"value":"[Reference /]"}]]',
    );
    const made: Record<string, unknown> = {};
    const maker = { toJSON: () => made };
    Object.assign(made, { maker: [maker], made });
    expect(shown({ maker })).toEqual({ maker: { maker: ['[Reference /maker]'], made: '[Reference /maker]' } });
    const outer = { inner: { toJSON: () => outer } };
    expect(shown(outer)).toEqual({ inner: '[Reference /]' });
  });

  it('shows a small container again where it is not in itself', () => {
    const twice = { n: 1 };
    const makers = [{ toJSON: () => twice }, { toJSON: () => twice }];
    expect(shown({ a: twice, b: twice, makers })).toEqual({ a: twice, b: twice, makers: [twice, twice] });
  });

  it.each<[string, (key: string) => unknown, string]>([
    ['a text', () => 'text', '"text"'],
    ['null', () => null, 'null'],
    ['nothing', () => undefined, 'null'],
    ['a function', () => function named() {}, '"[Function named]"'],
    ['a date', () => new Date(5), '5'],
    ['bytes', () => Buffer.from('a'), '"YQ=="'],
    ['a container', () => [1], '[1]'],
    ['a proxy', () => new Proxy({}, {}), '"[Proxy]"'],
    ['an object with toJSON', () => ({ a: 1, toJSON: () => 'not asked' }), '{"a":1}'],
    ['the key that it gets', (key) => `key ${key}`, '"key value"'],
    [
      'what it throws',
      () => {
        throw new RangeError('no');
      },
      '"[Threw RangeError: no]"',
    ],
  ])('shows what toJSON returns: %s', (_, toJSON, document) => {
    expect(written({ value: { toJSON } })).toBe(`{"value":${document}}`);
  });

  it('enters no proxy, and shows stacks only when asked', () => {
    const bean = { proxy: new Proxy({ a: [1] }, {}), list: new Proxy([1, 2], {}), error: new Error('x') };
    expect(shown(bean)).toEqual({ proxy: '[Proxy]', list: '[Proxy]', error: { name: 'Error', message: 'x' } });
    expect(shown(bean, { stacks: true })).toMatchObject({ error: { stack: expect.stringContaining('Error: x') } });
    const error = Object.defineProperty(new Error('x'), 'name', {
      get() {
        throw new RangeError('no name');
      },
    });
    expect(shown(error, { stacks: true })).toMatchObject({ name: '[Threw RangeError: no name]', message: 'x' });
  });
});

describe('the rules of an application', () => {
  it('get the path from the root of the bean, also where the document is of a part', () => {
    const paths: string[] = [];
    const value = {
      open: { token: 'shown' },
      map: pairs(['token', 'planted'], ['hunter22', 'hide me']),
      list: [{ token: 'shown' }, 'it is hunter22', 'hide me'],
    };
    const options = {
      at: '/whole',
      secrets: ['hunter22'],
      reveal: ['/whole/open/token', '/whole/list/0/token'],
      mask: ({ path, value: each }: { path: string; value: unknown }) => paths.push(path) > 0 && each === 'hide me',
    };
    expect(shown({ whole: value }, options)).toEqual({
      open: { token: 'shown' },
      map: { token: '******', '******': '******' },
      list: [{ token: 'shown' }, 'it is ******', '******'],
    });
    expect(paths).toEqual(expect.arrayContaining(['/whole/map/******', '/whole/list/2']));
  });
});

describe('a walk', () => {
  function begin(value: unknown) {
    const resolved = resolveOptions({});
    const writer = new JsonWriter(resolved, resolved.masking);
    return { writer, walk: new Walk({ value, secrecy: noSecret }, { ...resolved, places: new Map() }, writer) };
  }

  it('that is cut at any step closes every open container, and says how much is missing', () => {
    const documents = Array.from({ length: 8 }, (_, cutAfter) => {
      const { writer, walk } = begin({ a: [1, [2, 3], 4], b: 1, c: 2 });
      for (let steps = 0; walk.step(); steps++) if (steps === cutAfter) walk.cut();
      expect(writer.truncated).toBe(true);
      return writer.take();
    });
    expect(documents).toEqual([
      '{"a":["[3 more]"],"_more":"[2 more]"}',
      '{"a":[1,"[2 more]"],"_more":"[2 more]"}',
      '{"a":[1,["[2 more]"],"[1 more]"],"_more":"[2 more]"}',
      '{"a":[1,[2,"[1 more]"],"[1 more]"],"_more":"[2 more]"}',
      '{"a":[1,[2,3],"[1 more]"],"_more":"[2 more]"}',
      '{"a":[1,[2,3],"[1 more]"],"_more":"[2 more]"}',
      '{"a":[1,[2,3],4],"_more":"[2 more]"}',
      '{"a":[1,[2,3],4],"_more":"[2 more]"}',
    ]);
  });

  it('that is abandoned closes its iterators and goes no further', () => {
    let closed = 0;
    const { writer, walk } = begin([iterable(10, () => closed++), pairs(['a', 1])]);
    for (let steps = 0; steps < 4; steps++) walk.step();
    walk.abandon();
    expect([closed, walk.step(), writer.truncated]).toEqual([1, false, false]);
  });
});
