import { describe, expect, it } from 'vitest';
import { boundedDocument, type Excerpt } from './bounded-document.ts';

const { signal } = new AbortController();
const show = (value: unknown, asked: Partial<Excerpt> = {}, characters = 4000) =>
  boundedDocument(
    value,
    { at: '', from: 0, depth: 4, limit: 50, text: 2000, format: 'json', ...asked },
    characters,
    signal,
  );

const entries = Array.from({ length: 1000 }, (_, index) => ({ index, text: `entry ${index}` }));

describe('a document for an agent', () => {
  it('names the arguments for the next entries of a long list', async () => {
    const first = await show(entries, { limit: 3 });
    expect(JSON.parse(first.document)).toEqual([...entries.slice(0, 3), '[997 more]']);
    expect(first.rest).toContain('Next entries: from=3 (of 1000).');
    const next = await show(entries, { limit: 2, from: 3 });
    expect(JSON.parse(next.document).slice(0, 2)).toEqual(entries.slice(3, 5));
    expect(next.rest).toContain('Next entries: from=5 (of 1000).');
  });

  it('reports that the first entry was not reached in time', async () => {
    const endless = {
      length: Number.MAX_SAFE_INTEGER,
      *[Symbol.iterator]() {
        for (let index = 0; ; index++) yield index;
      },
    };
    const { document, rest } = await show(endless, { from: 1e15, budget: 20 });
    expect(JSON.parse(document)).toEqual([expect.stringMatching(/^\[[\d,]+ more\]$/)]);
    expect(rest).toContain('The entry from=1000000000000000 was not reached in time; ask for earlier ones.');
  });

  it('names the parts that were left out, by JSON Pointer', async () => {
    const value = { 'a/b': { deep: { deeper: { deepest: 1 } } }, plain: 1 };
    const { document, rest } = await show(value, { depth: 2 });
    expect(document).toContain('[Depth limit]');
    expect(rest).toContain('To see more of a part: at=/a~1b.');
    expect((await show(value, { at: '/a~1b/deep' })).document).toBe('{"deeper":{"deepest":1}}');
  });

  it.each(['json', 'xml'] as const)('has as many levels and entries as fit, in %s', async (format) => {
    const value = { list: entries, other: { entries } };
    for (const characters of [4000, 10_000, 100_000]) {
      const { document, rest } = await show(value, { depth: 64, limit: 1000, format }, characters);
      expect(document.length).toBeLessThanOrEqual(characters);
      expect(document).toContain('list');
      expect(document).toContain('other');
      if (characters < 100_000) expect(rest).toContain('less than asked for so that it fits');
    }
  });

  it('uses the whole limit for a single string', async () => {
    const value = { text: 'x'.repeat(10_000), list: [] };
    expect((await show(value)).document.length).toBeLessThan(2200);
    const { document } = await show(value, { at: '/text' });
    expect(document.length).toBeGreaterThan(1990);
    expect((await show(value, { at: '/text' }, 32_000)).document).toHaveLength(10_002);
  });

  it('shows every value, however long its keys and strings are', async () => {
    const odd = [
      { ['k'.repeat(100_000)]: 1 },
      Object.fromEntries(entries.map(({ index }) => [`${'k'.repeat(3000)}${index}`, 'x'.repeat(3000)])),
      ['\u0000'.repeat(3000), '"'.repeat(3000), '日'.repeat(3000)],
      '\u0000'.repeat(100_000),
    ];
    for (const value of odd) {
      const { document, rest } = await show(value);
      expect(document.length).toBeLessThanOrEqual(4000);
      expect(rest).toBeDefined();
      expect(String(rest).length).toBeLessThanOrEqual(1500);
    }
    const { document, rest } = await show({ ['k'.repeat(2_000_000)]: { a: { b: 1 } } }, { depth: 2 });
    expect(document).toBe(`{"${'k'.repeat(2000)}[1,998,000 more]":{"a":"[Depth limit]"}}`);
    expect(rest).not.toContain('kkk');
  });

  it('reports a missing part', async () => {
    await expect(show({ a: 1 }, { at: '/b' })).rejects.toThrow(
      expect.objectContaining({ code: 'JIG_INSPECTION_PART_MISSING' }),
    );
  });
});
