import { describe, expect, it } from 'vitest';
import { shown, written } from '../test-fixtures/shown.ts';
import { inspect } from './inspect.ts';
import { outline } from './outline.ts';

describe('a very large bean', { timeout: 60_000 }, () => {
  it('of 40,000 levels does not overflow the stack, and is written whole when depth allows it', () => {
    let bean: unknown = 'bottom';
    let middle: unknown;
    for (let level = 0; level < 40_000; level++) {
      bean = level % 2 === 0 ? { next: bean } : [bean];
      if (level === 20_000) middle = bean;
    }
    const document = written([bean, middle], { depth: Number.POSITIVE_INFINITY });
    const reference = `"[Reference /0${'/0/next'.repeat(9_999)}/0]"`;
    expect(document).toHaveLength(20_000 * '[{"next":}]'.length + '["bottom",]'.length + reference.length);
    expect(document.endsWith(`,${reference}]`)).toBe(true);
    expect(written(bean)).toContain('[Depth limit]');
  });

  it('of 200,000 keys is written with all of them', () => {
    const bean = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`k${index}`, index]));
    expect(shown(bean)).toEqual(bean);
  });

  it('with a key of 64 KB is written with the whole key in JSON and XML, and of a longer one with its beginning', () => {
    const key = 'k'.repeat(65_536);
    expect(written(new Map([[key, 1]]))).toBe(`{"${key}":1}`);
    expect(shown({ ['k'.repeat(200)]: 1 }, { text: 64 })).toEqual({ ['k'.repeat(200)]: 1 });
    const escaped = written({ ['<'.repeat(65_536)]: {} }, { format: 'xml' });
    expect(escaped).toBe(`<Object><${'_x003C_'.repeat(65_536)}/></Object>`);
    const inspection = inspect({ ['\x01'.repeat(2_000_000)]: {} }, { format: 'xml', text: 64 });
    expect(inspection.toString()).toBe(
      `<Object><${'_x0001_'.repeat(200)}_x005B_1_x002C_999_x002C_800_x0020_more_x005D_/></Object>`,
    );
    expect(inspection.truncated).toBe(true);
  });

  it('with a text over the default limit says how much is missing', () => {
    expect(written('x'.repeat(1024 * 1024 + 1900))).toBe(`"${'x'.repeat(1024 * 1024)}[1,900 more]"`);
  });

  it('of more bytes than an object can have names is truncated, also when views are asked', () => {
    const bean = { bytes: new Uint8Array(2 ** 28) };
    expect(shown(bean, { text: 64 })).toEqual({ bytes: `${'A'.repeat(64)}[357,913,880 more]` });
    expect(outline(bean, { text: 64 }).entries[0]).toMatchObject({ kind: 'binary', size: 2 ** 28 });
  });

  it('with a BigInt of millions of digits has a marker for it, and all digits up to 10,000', () => {
    const long = 1n << 11_300_000n;
    expect(shown([long, Object(long), { a: -long }])).toEqual(['[BigInt]', '[BigInt]', { a: '[BigInt]' }]);
    const map = new Map([
      [2n, 'a'],
      [long, 'b'],
    ]);
    expect(shown(map)).toEqual({ 2: 'a', '[BigInt]': 'b' });
    expect(written(map, { at: '/2' })).toBe('"a"');
    expect(() => inspect(map, { at: '/02' })).toThrow('at leads to nothing');
    const number = 10n ** 9_999n;
    expect(written([number, -number])).toBe(`[${number},-${number}]`);
    expect(written([10n ** 63n], { text: 64 })).toBe(`[1${'0'.repeat(63)}]`);
  });

  it('has a secret near its root masked everywhere, and is well-formed at the end of its budget', async () => {
    const rows = new Map(Array.from({ length: 300_000 }, (_, index) => [index, { index, text: 'copy-of-it' }]));
    const bean = { rows, last: { password: 'copy-of-it' } };
    let document = '';
    for await (const chunk of inspect(bean)) document += chunk.toString();
    expect(document).not.toContain('copy-of-it');
    const cut = inspect(bean, { budget: 0 });
    expect(JSON.parse(cut.toString())).toBeDefined();
    expect(cut.truncated).toBe(true);
  });

  it('has parts that are found by their pointers', () => {
    const big = new Map(Array.from({ length: 300_000 }, (_, index) => [index, { index }]));
    expect(written(big, { at: '/299999/index' })).toBe('299999');
  });

  it('that is an endless list is given up on when a part is not reached in time', () => {
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
    expect(written(endless, { at: '/70000' })).toBe('70000');
    expect(() => inspect(endless, { at: '/1000000000000' })).toThrow(
      'at leads to an entry that was not reached in time',
    );
    expect(outline(endless, { from: 1_000_000_000 })).toMatchObject({ entries: [], hasMore: true, isUnreached: true });
    expect(closed).toBe(1);
  });
});
