import { describe, expect, it } from 'vitest';
import { JsonWriter } from '../document/json-writer.ts';
import { type InspectionOptions, resolveOptions } from '../inspection-options.ts';
import { nothing } from '../masking/secret-key.ts';
import { Walk } from './walk.ts';

interface Walked {
  readonly document: string;
  readonly truncated: boolean;
}

function begin(value: unknown, options: InspectionOptions = {}) {
  const resolved = resolveOptions(options);
  const writer = new JsonWriter(resolved, resolved.masking);
  return { writer, walk: new Walk({ value, secrecy: nothing }, { ...resolved, places: new Map() }, writer) };
}

/** What the walk writes; cut after so many steps. */
function walked(value: unknown, options: InspectionOptions = {}, cutAfter = Number.POSITIVE_INFINITY): Walked {
  const { writer, walk } = begin(value, options);
  for (let steps = 0; walk.step(); steps++) if (steps === cutAfter) walk.cut();
  return { document: writer.take(), truncated: writer.truncated };
}

const shown = (value: unknown, options: InspectionOptions = {}) => walked(value, options).document;
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

describe('the walk shows a limited number of entries', () => {
  it.each([
    ['an object', { a: 1, b: 2, c: 3 }, '{"a":1,"b":2,"_more":"[1 more]"}'],
    ['a list', [1, 2, 3, 4], '[1,2,"[2 more]"]'],
    ['a set', new Set([1, 2, 3]), '[1,2,"[1 more]"]'],
    ['an iterable', iterable(5), '[0,1,"[3 more]"]'],
    ['a map', pairs(['a', 1], ['b', 2], ['c', 3]), '{"a":1,"b":2,"_more":"[1 more]"}'],
    [
      'a map that is a list',
      pairs([{}, 1], ['b', 2], ['c', 3]),
      '[{"key":{},"value":1},{"key":"b","value":2},"[1 more]"]',
    ],
    [
      'an object with the name of the marker',
      { _more: 1, __more: 2, c: 3 },
      '{"_more":1,"__more":2,"___more":"[1 more]"}',
    ],
    [
      'a map with the name of the marker',
      pairs(['_more', 1], ['b', 2], [3, 3]),
      '{"_more":1,"b":2,"__more":"[1 more]"}',
    ],
    [
      'containers in containers',
      [[1, 2, 3], { a: 1, b: 2, c: 3 }],
      '[[1,2,"[1 more]"],{"a":1,"b":2,"_more":"[1 more]"}]',
    ],
  ])('of %s', (_, value, document) => {
    expect(walked(value, { limit: 2 })).toEqual({ document, truncated: true });
    expect(walked({ value }, { limit: 2 })).toEqual({ document: `{"value":${document}}`, truncated: true });
  });

  it('and adds no marker when there are no more', () => {
    const value = [[1, 2], { a: 1, b: 2 }];
    expect(walked(value, { limit: 2 })).toEqual({ document: JSON.stringify(value), truncated: false });
    expect(walked({ a: 1, b: 2, method: () => 1 }, { limit: 2 }).truncated).toBe(false);
  });

  it('and closes an iterator that it does not finish', () => {
    let closed = 0;
    shown(
      iterable(3, () => closed++),
      { limit: 2 },
    );
    expect(closed).toBe(1);
  });

  it('after the skipped ones, of the outermost container only', () => {
    const value = Array.from({ length: 3_005 }, (_, index) => [index, index]);
    expect(shown(value, { from: 3_003 })).toBe('[[3003,3003],[3004,3004]]');
    expect(shown(value, { from: 1, limit: 1 })).toBe('[[1,"[1 more]"],"[3,003 more]"]');
    expect(shown(value, { from: 9_999 })).toBe('[]');
    expect(shown(new Map(value as [number, number][]), { from: 3_004 })).toBe('{"3004":3004}');
    expect(shown('a text', { from: 1 })).toBe('"a text"');
  });
});

describe('the walk goes so deep', () => {
  it('as depth allows, and marks where it ends', () => {
    const value = { list: [[1], 'a'], object: { map: pairs(['a', 1]) }, set: new Set([1]), date: new Date(5) };
    expect(walked(value, { depth: 1 })).toEqual({
      document: '{"list":"[Depth limit]","object":"[Depth limit]","set":"[Depth limit]","date":5}',
      truncated: true,
    });
    expect(shown(value, { depth: 2 })).toBe(
      '{"list":["[Depth limit]","a"],"object":{"map":"[Depth limit]"},"set":[1],"date":5}',
    );
    expect(walked(value, { depth: 3 })).toEqual({
      document: '{"list":[[1],"a"],"object":{"map":{"a":1}},"set":[1],"date":5}',
      truncated: false,
    });
  });
});

describe('the walk reports the path of the current container', () => {
  it.each(['a', 'a/b', 'a~b', ''])('under the key %j', (key) => {
    const inner: Record<string, unknown> = {};
    inner.self = inner;
    const pointer = `/0/${key.replace('~', '~0').replace('/', '~1')}`;
    expect(shown([{ [key]: inner }])).toBe(`[{${JSON.stringify(key)}:{"self":"[Reference ${pointer}]"}}]`);
  });

  it('in lists, sets, maps, and what toJSON makes', () => {
    const list: unknown[] = [];
    list.push(list, new Set([list]), pairs(['k', list], [{}, list]));
    expect(shown(list)).toBe(
      '["[Reference /]",["[Reference /]"],[{"key":"k","value":"[Reference /]"},{"key":{},"value":"[Reference /]"}]]',
    );
    const made: Record<string, unknown> = {};
    const maker = { toJSON: () => made };
    made.maker = [maker];
    made.made = made;
    expect(shown({ maker })).toBe('{"maker":{"maker":["[Reference /maker]"],"made":"[Reference /maker]"}}');
    const outer = { inner: { toJSON: () => outer } };
    expect(shown(outer)).toBe('{"inner":"[Reference /]"}');
  });

  it('and not where it was earlier', () => {
    const twice = { n: 1 };
    expect(shown({ a: twice, b: twice, c: [{ toJSON: () => twice }, { toJSON: () => twice }] })).toBe(
      '{"a":{"n":1},"b":{"n":1},"c":[{"n":1},{"n":1}]}',
    );
  });
});

describe('the walk asks toJSON', () => {
  it.each([
    ['a text', () => 'text', '"text"'],
    ['null', () => null, 'null'],
    ['nothing', () => undefined, 'null'],
    ['a function', () => function named() {}, '"[Function named]"'],
    ['a date', () => new Date(5), '5'],
    ['bytes', () => Buffer.from('a'), '"YQ=="'],
    ['a container', () => [1], '[1]'],
    ['a proxy', () => new Proxy({}, {}), '"[Proxy]"'],
    ['another that has toJSON', () => ({ a: 1, toJSON: () => 'not asked' }), '{"a":1}'],
    ['its key', (key: string) => `key ${key}`, '"key value"'],
    [
      'an error',
      () => {
        throw new RangeError('no');
      },
      '"[Threw RangeError: no]"',
    ],
  ])('and shows %s that it returns', (_, toJSON, document) => {
    expect(shown({ value: { toJSON } })).toBe(`{"value":${document}}`);
  });
});

describe('the walk masks', () => {
  it('by keys, values, numbers and the rules of the application, which get the whole path', () => {
    const paths: string[] = [];
    const options = {
      at: '/whole',
      secrets: ['hunter22', '12345678'],
      reveal: ['/whole/open/token', '/whole/list/0/token'],
      mask: ({ path, value }: { path: string; value: unknown }) => {
        paths.push(path);
        return value === 'hide me';
      },
    };
    const value = {
      open: { token: 'shown' },
      token: 'planted',
      map: pairs(['token', 'planted'], ['hunter22', 'hide me']),
      list: [{ token: 'shown' }, 12345678, 12345678n, 'it is hunter22', 'hide me', 'a~/b'],
    };
    expect(shown(value, options)).toBe(
      '{"open":{"token":"shown"},"token":"******","map":{"token":"******","******":"******"},' +
        '"list":[{"token":"shown"},"******","******","it is ******","******","a~/b"]}',
    );
    expect(paths).toContain('/whole/map/******');
    expect(paths).toContain('/whole/list/5');
  });
});

describe('the walk cuts', () => {
  it.each([
    ['a text', 'x'.repeat(70), `"${'x'.repeat(64)}[6 more]"`],
    ['bytes', Buffer.alloc(50), `"${'A'.repeat(64)}[4 more]"`],
    ['a long number', 10n ** 70n, `"1${'0'.repeat(63)}[7 more]"`],
  ])('%s', (_, value, document) => {
    expect(walked([value], { text: 64 })).toEqual({ document: `[${document}]`, truncated: true });
    expect(walked([value], { text: 100 }).truncated).toBe(false);
  });

  it('every open container at the end of the budget, with the number of missing entries', () => {
    const value = { a: [1, [2, 3], 4], b: 1, c: 2 };
    const steps = Array.from({ length: 8 }, (__, index) => walked(value, {}, index).document);
    expect(steps).toEqual([
      '{"a":["[3 more]"],"_more":"[2 more]"}',
      '{"a":[1,"[2 more]"],"_more":"[2 more]"}',
      '{"a":[1,["[2 more]"],"[1 more]"],"_more":"[2 more]"}',
      '{"a":[1,[2,"[1 more]"],"[1 more]"],"_more":"[2 more]"}',
      '{"a":[1,[2,3],"[1 more]"],"_more":"[2 more]"}',
      '{"a":[1,[2,3],"[1 more]"],"_more":"[2 more]"}',
      '{"a":[1,[2,3],4],"_more":"[2 more]"}',
      '{"a":[1,[2,3],4],"_more":"[2 more]"}',
    ]);
    expect(walked(value, {}, 2).truncated).toBe(true);
  });

  it('nothing more when it is abandoned, and closes open iterators', () => {
    let closed = 0;
    const { writer, walk } = begin([iterable(10, () => closed++), pairs(['a', 1])]);
    for (let steps = 0; steps < 4; steps++) walk.step();
    walk.abandon();
    expect([closed, walk.step(), writer.truncated]).toEqual([1, false, false]);
  });
});
