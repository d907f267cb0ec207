import fc from 'fast-check';
import { applyPatch } from 'rfc6902';
import { describe, expect, it } from 'vitest';
import { type Difference, differencesBetween, mostDifferences, toPatch } from './differences.ts';
import { inSlices } from './json-text.ts';

const compared = (before: string, now: string, most = mostDifferences) =>
  inSlices(differencesBetween(before, now, most));

const comparedValues = (before: unknown, now: unknown) => compared(JSON.stringify(before), JSON.stringify(now));

/** A document after a patch; within another, since the library cannot replace a whole one. */
function patched(document: unknown, differences: readonly Difference[]): unknown {
  const holder = { document: structuredClone(document) };
  const below = differences.map((each) => ({ ...each, pointer: `/document${each.pointer}` }));
  const problems = applyPatch(holder, JSON.parse(toPatch(below)) as never);
  expect(problems.filter((problem) => problem !== null)).toEqual([]);
  return holder.document;
}

const kinds = (differences: readonly Difference[]) => differences.map(({ kind, pointer }) => `${kind} ${pointer}`);

describe('a patch', () => {
  // The library that applies patches here leaves that key alone.
  const isApplied = (value: unknown) => !JSON.stringify(value).includes('__proto__');
  // As documents are read: JSON has no -0.
  const json = fc
    .jsonValue({ maxDepth: 5, depthSize: 'medium' })
    .filter(isApplied)
    .map((value) => JSON.parse(JSON.stringify(value)) as unknown);

  it('turns any document into any other', async () => {
    await fc.assert(
      fc.asyncProperty(json, json, fc.integer({ min: 0, max: 3 }), async (before, now, most) => {
        expect(patched(before, await comparedValues(before, now))).toEqual(now);
        const few = await compared(JSON.stringify(before), JSON.stringify(now), most);
        expect(few.length).toBeLessThanOrEqual(Math.max(1, most));
        expect(patched(before, few)).toEqual(now);
      }),
    );
  });

  it('turns documents that are nearly the same into each other', async () => {
    const names = fc.string().filter(isApplied);
    const lists = fc.record({ list: fc.array(fc.integer({ max: 3 })), map: fc.dictionary(names, fc.boolean()) });
    await fc.assert(
      fc.asyncProperty(lists, lists, async (before, now) => {
        expect(patched(before, await comparedValues(before, now))).toEqual(now);
      }),
    );
  });
});

describe('differences', () => {
  it('are in the order of the document, with keys escaped as in a JSON Pointer and values as JSON', async () => {
    const before = { 'a/b': { '~': 1 }, list: [1, 2, 3], gone: 'x', kept: true };
    expect(await comparedValues(before, { 'a/b': { '~': 2 }, list: [1], new: null, kept: true })).toEqual([
      { kind: 'changed', pointer: '/a~1b/~0', before: '1', now: '2' },
      { kind: 'removed', pointer: '/list/1', before: '2' },
      { kind: 'removed', pointer: '/list/2', before: '3' },
      { kind: 'added', pointer: '/new', now: 'null' },
      { kind: 'removed', pointer: '/gone', before: '"x"' },
    ]);
  });

  it('tell numbers apart that are equal when they are parsed', async () => {
    const [found] = await compared('{"id":[9007199254740992]}', '{"id":[9007199254740993]}');
    expect(found).toEqual({
      kind: 'changed',
      pointer: '/id/0',
      before: '9007199254740992',
      now: '9007199254740993',
    });
  });

  it('are found below any key', async () => {
    const before = '{"__proto__":{"a":1},"constructor":{"prototype":{"b":1}},"toString":1,"\\"\\\\":[1]}';
    const now = '{"constructor":{"prototype":{"b":2}},"__proto__":{"a":2},"valueOf":1,"\\"\\\\":["]}"]}';
    expect(kinds(await compared(before, now))).toEqual([
      'changed /constructor/prototype/b',
      'changed /__proto__/a',
      'added /valueOf',
      'changed /"\\/0',
      'removed /toString',
    ]);
  });

  it('are none when only the order of keys differs', async () => {
    expect(await compared('{"a":1,"b":{}}', '{"b":{},"a":1}')).toEqual([]);
  });

  it('are those of the smallest container that has no more than are listed', async () => {
    const numbers = (count: number, value: number) => Array.from({ length: count }, () => value);
    const before = { few: numbers(3, 0), many: { list: numbers(1001, 0), other: 0 } };
    const now = { few: numbers(3, 1), many: { list: numbers(1001, 1), other: 1 } };
    const found = await comparedValues(before, now);
    expect(kinds(found)).toEqual([
      'changed /few/0',
      'changed /few/1',
      'changed /few/2',
      'changed /many/list',
      'changed /many/other',
    ]);
    expect(found.map(({ isTooMuch }) => isTooMuch === true)).toEqual([false, false, false, true, false]);
    expect(patched(before, found)).toEqual(now);
    expect(await comparedValues(numbers(1000, 0), numbers(1000, 1))).toHaveLength(1000);
    expect(kinds(await comparedValues({ a: numbers(600, 0), b: numbers(600, 0) }, {}))).toHaveLength(2);
    expect(
      kinds(await comparedValues({ a: numbers(600, 0), b: numbers(600, 0) }, { a: numbers(600, 1), b: [] })),
    ).toEqual(['changed ']);
  });

  it('are not listed below long pointers, which would be repeated for each', async () => {
    const key = 'k'.repeat(2000);
    const found = await comparedValues({ [key]: { a: 1, b: 1 } }, { [key]: { a: 2, b: 2 } });
    expect(found).toMatchObject([{ pointer: `/${key}`, isTooMuch: true }]);
  });

  it.each([
    ['numbers', `[${'1,'.repeat(500_000)}1]`, `[${'1,'.repeat(500_000)}2]`],
    ['keys', objectOf(100_000, 1), objectOf(100_000, 2)],
    ['nested lists', '['.repeat(300_000) + ']'.repeat(300_000), `${'['.repeat(300_000)}1${']'.repeat(300_000)}`],
  ])('of many %s are found in many small steps', async (_what, before, now) => {
    const work = differencesBetween(before, now, mostDifferences);
    let steps = 0;
    while (work.next().done !== true) steps++;
    expect(steps).toBeGreaterThan(90);
  });
});

function objectOf(size: number, value: number): string {
  const entries = Array.from({ length: size }, (_, index) => `"key${index}":${index === size - 1 ? value : 0}`);
  return `{${entries.join(',')}}`;
}
