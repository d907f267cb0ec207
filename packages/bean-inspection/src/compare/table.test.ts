import fc from 'fast-check';
import { applyPatch } from 'rfc6902';
import { describe, expect, it } from 'vitest';
import { compareValues, kindOf, maxRows, type Row, toPatch } from './table.ts';

const comparedValues = (before: unknown, now: unknown) => compareValues([before, now]).different;

const compared = (before: string, now: string) => comparedValues(JSON.parse(before), JSON.parse(now));

/** A document after a patch; within another, since the library cannot replace a whole one. */
function patched(document: unknown, differences: readonly Row[]): unknown {
  const holder = { document: structuredClone(document) };
  const below = differences.map((each) => ({ ...each, pointer: `/document${each.pointer}` }));
  const problems = applyPatch(holder, JSON.parse(JSON.stringify(toPatch(below))) as never);
  expect(problems.filter((problem) => problem !== null)).toEqual([]);
  return holder.document;
}

const kinds = (differences: readonly Row[]) => differences.map((row) => `${kindOf(row)} ${row.pointer}`);

describe('a patch', () => {
  // The library that applies patches here leaves that key alone.
  const isApplied = (value: unknown) => !JSON.stringify(value).includes('__proto__');
  // As documents are read: JSON has no -0.
  const json = fc
    .jsonValue({ maxDepth: 5, depthSize: 'medium' })
    .filter(isApplied)
    .map((value) => JSON.parse(JSON.stringify(value)) as unknown);

  it('turns any document into any other', () => {
    fc.assert(
      fc.property(json, json, (before, now) => {
        expect(patched(before, comparedValues(before, now))).toEqual(now);
      }),
    );
  });

  it('turns nearly equal documents into each other', () => {
    const names = fc.string().filter(isApplied);
    const lists = fc.record({ list: fc.array(fc.integer({ max: 3 })), map: fc.dictionary(names, fc.boolean()) });
    fc.assert(
      fc.property(lists, lists, (before, now) => {
        expect(patched(before, comparedValues(before, now))).toEqual(now);
      }),
    );
  });
});

describe('differences', () => {
  it('are in the order of the old document, what is new last, with keys escaped as in a JSON Pointer', () => {
    const before = { 'a/b': { '~': 1 }, list: [1, 2, 3], gone: 'x', kept: true };
    expect(comparedValues(before, { 'a/b': { '~': 2 }, list: [1], new: null, kept: true })).toEqual([
      { pointer: '/a~1b/~0', values: [1, 2] },
      { pointer: '/list/1', values: [2, undefined] },
      { pointer: '/list/2', values: [3, undefined] },
      { pointer: '/gone', values: ['x', undefined] },
      { pointer: '/new', values: [undefined, null] },
    ]);
  });

  it('are found below any key', () => {
    const before = '{"__proto__":{"a":1},"constructor":{"prototype":{"b":1}},"toString":1,"\\"\\\\":[1]}';
    const now = '{"constructor":{"prototype":{"b":2}},"__proto__":{"a":2},"valueOf":1,"\\"\\\\":["]}"]}';
    expect(kinds(compared(before, now))).toEqual([
      'changed /__proto__/a',
      'changed /constructor/prototype/b',
      'removed /toString',
      'changed /"\\/0',
      'added /valueOf',
    ]);
  });

  it('are none when only the order of keys differs', () => {
    expect(compared('{"a":1,"b":{}}', '{"b":{},"a":1}')).toEqual([]);
  });

  it('are the first thousand, and the table says that there are more', () => {
    const numbers = (count: number, value: number) => Array.from({ length: count }, () => value);
    const all = compareValues([numbers(maxRows, 0), numbers(maxRows, 1)]);
    expect([all.different.length, all.isCut]).toEqual([maxRows, false]);
    const cut = compareValues([numbers(maxRows + 1, 0), numbers(maxRows + 1, 1)]);
    expect([cut.different.length, cut.isCut]).toEqual([maxRows, true]);
  });
});

describe('a table of several columns', () => {
  it('has a row for each path at which one differs, and counts those at which all are equal', () => {
    const table = compareValues([
      { a: 1, b: [1, 2] },
      { a: 1, b: [1] },
      { a: 1, b: [3, 2] },
    ]);
    expect(table).toEqual({
      different: [
        { pointer: '/b/0', values: [1, 1, 3] },
        { pointer: '/b/1', values: [2, undefined, 2] },
      ],
      equal: 1,
      isCut: false,
    });
  });
});
