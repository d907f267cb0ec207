import { describe, expect, it, vi } from 'vitest';
import { everyWay, plainly, written } from '../test-fixtures/both-ways.ts';
import { inspect } from './inspect.ts';
import type { InspectionOptions } from './inspection-options.ts';
import { outline } from './outline.ts';
import { builtInViews } from './views/built-in-views.ts';
import { stateLine } from './views/state-line.ts';

function expectEveryWay(value: unknown, document: string, options: InspectionOptions = {}): void {
  for (const written of everyWay(value, options)) expect(written).toBe(document);
}

describe('a very large bean', () => {
  it('of 40,000 levels overflows no stack, and is written whole when the depth allows it', () => {
    let bean: unknown = 'bottom';
    for (let level = 0; level < 40_000; level++) bean = level % 2 === 0 ? { next: bean } : [bean];
    const document = written(bean, { depth: Number.POSITIVE_INFINITY });
    expect(document).toHaveLength(20_000 * '[{"next":}]'.length + '"bottom"'.length);
    expect(document).toBe(plainly(bean, { depth: Number.POSITIVE_INFINITY }));
    expect(written(bean)).toContain('[Depth limit]');
  }, 60_000);

  it('of 200,000 keys is written with all of them', () => {
    const bean = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`k${index}`, index]));
    const document = written(bean);
    expect(document.startsWith('{"k0":0,"k1":1,')).toBe(true);
    expect(document.endsWith(',"k199999":199999}')).toBe(true);
  }, 60_000);

  it('with a key of 64 KB is written with the whole key in JSON and XML', () => {
    const key = 'k'.repeat(65_536);
    const awkward = '<'.repeat(65_536);
    expectEveryWay(new Map([[key, 1]]), `{"${key}":1}`);
    expectEveryWay({ [awkward]: {} }, `<Object><${'_x003C_'.repeat(65_536)}/></Object>`, { format: 'xml' });
  }, 60_000);

  it('with longer keys, or such over the limit of texts, has the beginnings of them with digests', () => {
    const long = 'k'.repeat(65_536 + 1900);
    const bean = new Map([
      [`${long}a`, 1],
      [`${long}b`, 2],
    ]);
    const head = `${'k'.repeat(65_536)}[1,901 more]`;
    expectEveryWay(bean, `{"${head} e21":1,"${head} e22":2}`);
    expectEveryWay(bean, `{"${'k'.repeat(300)}[67,137 more] e21":1,"_more":"[1 more]"}`, { text: 300, limit: 1 });
    expectEveryWay({ ['k'.repeat(200)]: 1 }, `{"${'k'.repeat(200)}":1}`, { text: 64 });
    const inspection = inspect({ ['\x01'.repeat(2_000_000)]: {} }, { format: 'xml', text: 64 });
    expect(inspection.toString()).toBe(
      `<Object><${'_x0001_'.repeat(200)}_x005B_1_x002C_999_x002C_800_x0020_more_x005D__x0020_4800/></Object>`,
    );
    expect(inspection.truncated).toBe(true);
  });

  it.each([{ limit: 10 }, { limit: 10, from: 100 }, {}])(
    'of many keys is asked for them once in a turn, with %j',
    (options) => {
      const bean: Record<string, number> = Object.fromEntries(
        Array.from({ length: 20_000 }, (_, index) => [`k${index}`, index]),
      );
      const all = { ...options, views: builtInViews };
      const keys = vi.spyOn(Object, 'keys');
      const listings = (work: () => unknown) => {
        keys.mockClear();
        work();
        return keys.mock.calls.filter(([object]) => object === bean).length;
      };
      try {
        expect(listings(() => inspect(bean, all).wholeOrChunks(new AbortController().signal))).toBeLessThanOrEqual(
          'from' in options ? 2 : 1,
        );
        expect(listings(() => outline(bean, { ...all, limit: 10 }))).toBe(1);
        expect(listings(() => stateLine(bean))).toBe(1);
        Object.assign(bean, { late: 1 });
        expect(inspect(bean, { ...all, from: 20_000 }).toString()).toBe('{"late":1}');
        expect(outline(bean).size).toBe(20_001);
      } finally {
        keys.mockRestore();
      }
    },
  );

  it('with a text over the limit says how much is missing', () => {
    const text = 'x'.repeat(1024 * 1024 + 1900);
    expectEveryWay([text], `["${'x'.repeat(1024 * 1024)}[1,900 more]"]`);
  }, 60_000);

  it('of more bytes than an object can have names is cut, also where views are asked', () => {
    const bean = { bytes: new Uint8Array(2 ** 28) };
    const options = { views: builtInViews, text: 64 };
    expectEveryWay(bean, `{"bytes":"${'A'.repeat(64)}[357,913,880 more]"}`, options);
    expect(outline(bean, options).entries[0]).toMatchObject({ kind: 'binary', size: 2 ** 28 });
  });

  describe('a BigInt of 3.4 million digits', () => {
    const long = 1n << 11_300_000n;
    const shown = `"0x1${'0'.repeat(1024 * 1024 - 3)}[1,776,427 more]"`;

    it('is written in hexadecimal and cut like a text, wherever it occurs', () => {
      expectEveryWay([long, Object(long)], `[${shown},${shown}]`);
      expectEveryWay({ a: -long }, `{"a":"-0x1${'0'.repeat(60)}[2,824,940 more]"}`, { text: 64 });
      expect(inspect(long).toString()).toBe(shown);
      const inspection = inspect(long, { format: 'xml', text: 64 });
      expect(inspection.toString()).toBe(`<BigInt>0x1${'0'.repeat(61)}[2,824,939 more]</BigInt>`);
      expect(inspection.truncated).toBe(true);
    });

    it('is not used as a name when it is the key of a map', () => {
      const map = new Map<unknown, unknown>([
        [2n, 'a'],
        [long, 'b'],
      ]);
      const key = `"0x1${'0'.repeat(61)}[2,824,939 more]"`;
      expectEveryWay(map, `[{"key":2,"value":"a"},{"key":${key},"value":"b"}]`, { text: 64 });
      expect(inspect(map, { at: '/1/value' }).toString()).toBe('"b"');
      expect(inspect(new Map([[2n, 'a']]), { at: '/2' }).toString()).toBe('"a"');
      expect(inspect(new Map([[-(10n ** 30n), 'a']]), { at: `/-1${'0'.repeat(30)}` }).toString()).toBe('"a"');
      expect(() => inspect(new Map([[2n, 'a']]), { at: '/02' })).toThrow('at leads to nothing');
    });

    it('is written as [BigInt] when it is thrown', () => {
      const bean = {
        get a() {
          throw long;
        },
      };
      expectEveryWay(bean, '{"a":"[Threw [BigInt]]"}');
    });
  });

  it('with a BigInt of up to 10,000 digits is written with all of them, unless the text limit is smaller', () => {
    const number = 10n ** 9_999n;
    expectEveryWay([number, -number], `[${number},-${number}]`);
    expectEveryWay([10n ** 100n, 10n ** 63n], `["1${'0'.repeat(63)}[37 more]",1${'0'.repeat(63)}]`, { text: 64 });
  });
});

describe('a bean with a prototype chain of any length', () => {
  const extending = (classes: number) => {
    let Class: new () => object = class {};
    for (let index = 1; index < classes; index++) {
      Class = class extends Class {
        get [`g${index}`]() {
          return index;
        }
      };
    }
    return new Class();
  };

  it('shows the getters of 200 classes, and says when there are more', () => {
    let chain = {};
    for (let links = 0; links < 100_000; links++) chain = Object.create(chain) as object;
    // To assign a property would look for a setter in all of them, which takes V8 half a second each time.
    const define = (name: string, value: number) =>
      Object.defineProperty(chain, name, { value, enumerable: true, configurable: true, writable: true });
    const bean = define('leaf', 1);
    expectEveryWay(bean, '{"leaf":1,"_more":"[Class limit]"}');
    const inspection = inspect(bean);
    expect([inspection.toString().length, inspection.truncated]).toEqual([34, true]);
    expect(outline(bean).entries.at(-1)).toMatchObject({ key: '_more', kind: 'limit', preview: '[Class limit]' });
    expectEveryWay(define('_more', 2), '{"leaf":1,"_more":2,"__more":"[Class limit]"}');
  });

  it('is as any other up to 200 classes', () => {
    expect(Object.keys(JSON.parse(inspect(extending(200)).toString()) as object)).toHaveLength(199);
    const keys = Object.keys(JSON.parse(inspect(extending(201)).toString()) as object);
    expect([keys.length, keys[0], keys.at(-1)]).toEqual([201, 'g1', '_more']);
  });
});

describe('a part of a very large bean', () => {
  it('is found by its pointer', () => {
    const big = new Map(Array.from({ length: 300_000 }, (_, index) => [index, { index }]));
    expect(inspect(big, { at: '/299999/index' }).toString()).toBe('299999');
  });

  it('that is not in an endless list is given up on', () => {
    let closed = 0;
    const endless = {
      length: 2 ** 40,
      *[Symbol.iterator]() {
        try {
          for (let index = 0; ; index++) yield index;
        } finally {
          closed++;
        }
      },
    };
    expect(inspect(endless, { at: '/70000' }).toString()).toBe('70000');
    expect(() => inspect(endless, { at: '/1000000000000' })).toThrow(
      'at leads to an entry that was not reached in time',
    );
    expect(closed).toBe(2);
  });
});
