import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyBean } from '../test-fixtures/any-bean.ts';
import { propertyRuns } from '../test-fixtures/property-runs.ts';
import { written } from '../test-fixtures/shown.ts';
import { type Tree, treeOf } from '../test-fixtures/tree.ts';
import { inspect } from './inspect.ts';
import { type Outline, type OutlineEntry, outline } from './outline.ts';

const all = { levels: 64, limit: Number.POSITIVE_INFINITY, rows: Number.POSITIVE_INFINITY } as const;
const secrets = ['anothe', 'nested', '123456'];

/** The entries of a container, in lists by index. */
function entriesOf(tree: Tree): readonly (readonly [string, Tree])[] {
  if (Array.isArray(tree)) return tree.map((each, index) => [String(index), each]);
  return typeof tree === 'object' && tree !== null ? tree.entries : [];
}

/** What an entry says, compared with what the document shows in its place. */
function compareEntry(entry: OutlineEntry, tree: Tree): void {
  const { kind, preview, isCut, target, entries } = entry;
  if (entries !== undefined) {
    compare(entries, tree);
    return;
  }
  // Anything else would be a container that was not opened.
  if (typeof tree === 'object' && tree !== null) throw new Error(`${kind} stands in the place of a container`);
  if (kind === 'reference') expect(tree).toBe(`[Reference ${target === '' ? '/' : target}]`);
  else if (kind === 'date') expect(preview).toBe(tree === null ? 'Invalid Date' : new Date(Number(tree)).toISOString());
  else if (isCut) expect(String(tree).startsWith(preview.slice(0, 100))).toBe(true);
  else expect(preview).toBe(String(tree));
  expect(['object', 'array', 'map', 'set']).not.toContain(kind);
  if (kind === 'number' || kind === 'boolean')
    expect(typeof tree === kind || /^-?Infinity$|^NaN$/.test(preview)).toBe(true);
}

function compare({ entries, size, hasMore, from }: Outline, tree: Tree): void {
  const expected = entriesOf(tree);
  expect([entries.map(({ key }) => key), hasMore, from]).toEqual([expected.map(([key]) => key), false, 0]);
  expect(size).toBeGreaterThanOrEqual(entries.length);
  entries.forEach((entry, index) => {
    compareEntry(entry, expected[index]?.[1] ?? null);
  });
}

describe('the outline of any bean', { timeout: 120_000 }, () => {
  it('has the keys and values of its document in their order, and markers where it has markers', () => {
    fc.assert(
      fc.property(anyBean, (bean) => {
        const wrapped = { bean };
        compare(outline(wrapped, { ...all, secrets }), treeOf(wrapped, { secrets }));
      }),
      propertyRuns(100),
    );
  });

  it('with from is the rest of the whole, as are its documents in JSON and XML', () => {
    fc.assert(
      fc.property(anyBean, fc.nat(4), fc.constantFrom('json', 'xml'), (bean, from, format) => {
        const options = { format, secrets } as const;
        const whole = outline(bean, { secrets, limit: 1000 });
        const part = outline(bean, { secrets, limit: 1000, from });
        expect(part.entries).toEqual(whole.entries.slice(from));
        const document = inspect(bean, { ...options, from }).toString();
        const isContainer = ['object', 'array', 'map', 'set'].includes(whole.kind);
        if (!isContainer) expect(document).toBe(written(bean, options));
        const rest = treeOf(bean, { secrets, from });
        if (isContainer)
          expect(entriesOf(rest).map(([, each]) => each)).toEqual(
            entriesOf(treeOf(bean, { secrets }))
              .slice(from)
              .map(([, each]) => each),
          );
        // Compiled code writes the whole; what it ends with is the part.
        if (isContainer && part.entries.length > 0)
          expect(
            written(bean, options).endsWith(document.slice(document.indexOf(format === 'json' ? '' : '>') + 1)),
          ).toBe(true);
      }),
      propertyRuns(100),
    );
  });
});
