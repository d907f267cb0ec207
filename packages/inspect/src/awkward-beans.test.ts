import { describe, expect, it } from 'vitest';
import { awkwardBeans } from '../test-fixtures/awkward-beans.ts';
import { compiled, everyWay, plainly } from '../test-fixtures/both-ways.ts';
import { readWithExpat, readWithLibxml2 } from '../test-fixtures/xml-readers.ts';
import { inspect } from './inspect.ts';
import type { InspectionOptions } from './inspection-options.ts';

/** Expects the same document of every way; a failure names the format, the writer and its round. */
function expectEveryWay(value: unknown, document: string, options: InspectionOptions = {}): void {
  const format = options.format === 'xml' ? 'XML' : 'JSON';
  for (const [round, written] of everyWay(value, options).entries()) {
    expect(written, `${format}, ${round === 0 ? 'plain' : `compiled, round ${round}`}`).toBe(document);
  }
}

describe('an awkward bean', () => {
  it.each(awkwardBeans)('$what', ({ bean, json, xml }) => {
    expectEveryWay(bean(), json);
    expectEveryWay(bean(), xml, { format: 'xml' });
  });

  it('is always written as JSON and XML that parsers accept', async () => {
    for (const { json } of awkwardBeans) expect(() => JSON.parse(json)).not.toThrow();
    const documents = awkwardBeans.map(({ xml }) => xml);
    expect(await readWithExpat(documents)).toEqual(await readWithLibxml2(documents));
  }, 60_000);
});

describe('a very large bean', () => {
  it('of 100,000 levels overflows no stack, and is written whole when the depth allows it', () => {
    let bean: unknown = 'bottom';
    for (let level = 0; level < 100_000; level++) bean = level % 2 === 0 ? { next: bean } : [bean];
    const document = compiled(bean, { depth: Number.POSITIVE_INFINITY });
    expect(document).toHaveLength(50_000 * '[{"next":}]'.length + '"bottom"'.length);
    expect(document).toBe(plainly(bean, { depth: Number.POSITIVE_INFINITY }));
    expect(compiled(bean)).toContain('[Depth limit]');
  }, 60_000);

  it('of a million keys is written with all of them', () => {
    const bean = Object.fromEntries(Array.from({ length: 1_000_000 }, (_, index) => [`k${index}`, index]));
    const document = compiled(bean);
    expect(document.startsWith('{"k0":0,"k1":1,')).toBe(true);
    expect(document.endsWith(',"k999999":999999}')).toBe(true);
  }, 60_000);

  it('with a key of 64 KB is written with the whole key in JSON and XML', () => {
    const key = 'k'.repeat(65_536);
    const awkward = '<'.repeat(65_536);
    expectEveryWay(new Map([[key, 1]]), `{"${key}":1}`);
    expectEveryWay({ [awkward]: {} }, `<Object><${'_x003C_'.repeat(65_536)}/></Object>`, { format: 'xml' });
  }, 60_000);

  it('with a text over the limit says how much is missing', () => {
    const text = 'x'.repeat(1024 * 1024 + 1900);
    expectEveryWay([text], `["${'x'.repeat(1024 * 1024)}[1,900 more]"]`);
  }, 60_000);

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
