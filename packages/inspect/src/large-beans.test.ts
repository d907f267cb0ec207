import { describe, expect, it } from 'vitest';
import { everyWay, written } from '../test-fixtures/both-ways.ts';
import { inspect } from './inspect.ts';
import type { InspectionOptions } from './inspection-options.ts';
import { outline } from './outline.ts';
import { builtInViews } from './views/built-in-views.ts';

function expectEveryWay(value: unknown, document: string, options: InspectionOptions = {}): void {
  for (const written of everyWay(value, options)) expect(written).toBe(document);
}

describe('a very large bean', () => {
  it('of 40,000 levels does not overflow the stack, and is written whole when depth allows it', () => {
    let bean: unknown = 'bottom';
    for (let level = 0; level < 40_000; level++) bean = level % 2 === 0 ? { next: bean } : [bean];
    const document = written(bean, { depth: Number.POSITIVE_INFINITY });
    expect(document).toHaveLength(20_000 * '[{"next":}]'.length + '"bottom"'.length);
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

  it('with a longer key is written with the beginning of the key', () => {
    const inspection = inspect({ ['\x01'.repeat(2_000_000)]: {} }, { format: 'xml', text: 64 });
    expect(inspection.toString()).toBe(
      `<Object><${'_x0001_'.repeat(200)}_x005B_1_x002C_999_x002C_800_x0020_more_x005D_/></Object>`,
    );
    expect(inspection.truncated).toBe(true);
    expectEveryWay({ ['k'.repeat(200)]: 1 }, `{"${'k'.repeat(200)}":1}`, { text: 64 });
  });

  it('with a string over the limit says how much is missing', () => {
    const text = 'x'.repeat(1024 * 1024 + 1900);
    expectEveryWay([text], `["${'x'.repeat(1024 * 1024)}[1,900 more]"]`);
  }, 60_000);

  it('with more properties than V8 can list is truncated, also with views', () => {
    const bean = { bytes: new Uint8Array(2 ** 28) };
    const options = { views: builtInViews, text: 64 };
    expectEveryWay(bean, `{"bytes":"${'A'.repeat(64)}[357,913,880 more]"}`, options);
    expect(outline(bean, options).entries[0]).toMatchObject({ kind: 'binary', size: 2 ** 28 });
  });

  it('shows a BigInt of millions of digits as a marker', () => {
    const long = 1n << 11_300_000n;
    const throws = {
      get a() {
        throw long;
      },
    };
    expectEveryWay([long, Object(long), { a: -long }], '["[BigInt]","[BigInt]",{"a":"[BigInt]"}]');
    expectEveryWay(throws, '{"a":"[Threw [BigInt]]"}');
    const map = new Map<unknown, unknown>([
      [2n, 'a'],
      [long, 'b'],
    ]);
    expectEveryWay(map, '{"2":"a","[BigInt]":"b"}');
    expect(inspect(map, { at: '/2' }).toString()).toBe('"a"');
    expect(() => inspect(map, { at: '/02' })).toThrow('at leads to nothing');
  });

  it('shows a BigInt of up to 10,000 digits with all of them, unless the text limit is smaller', () => {
    const number = 10n ** 9_999n;
    expectEveryWay([number, -number], `[${number},-${number}]`);
    expectEveryWay([10n ** 100n, 10n ** 63n], `["1${'0'.repeat(63)}[37 more]",1${'0'.repeat(63)}]`, { text: 64 });
  });
});

it('a secret near the root of a big bean is masked everywhere, and within a budget', async () => {
  const rows = new Map(Array.from({ length: 300_000 }, (_, index) => [index, { index, text: 'copy-of-it' }]));
  const bean = { rows, last: { password: 'copy-of-it' } };
  let document = '';
  for await (const chunk of inspect(bean)) document += chunk.toString();
  expect(document).not.toContain('copy-of-it');
  const cut = inspect(bean, { budget: 0 });
  expect(JSON.parse(cut.toString())).toBeDefined();
  expect(cut.truncated).toBe(true);
}, 60_000);

describe('a part of a very large bean', () => {
  it('is found by its pointer', () => {
    const big = new Map(Array.from({ length: 300_000 }, (_, index) => [index, { index }]));
    expect(inspect(big, { at: '/299999/index' }).toString()).toBe('299999');
  });

  it('is given up on when it is not in an endless list', () => {
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
    expect(outline(endless, { from: 1_000_000_000 })).toMatchObject({ entries: [], hasMore: true, isUnreached: true });
    expect(closed).toBe(1);
  });
});
