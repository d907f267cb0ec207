import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyBean } from '../test-fixtures/any-bean.ts';
import { propertyRuns } from '../test-fixtures/property-runs.ts';
import { shown, written } from '../test-fixtures/shown.ts';
import { inOrderOfJson } from '../test-fixtures/xml.ts';
import { inspect } from './inspect.ts';
import { type Outline, type OutlineEntry, outline } from './outline.ts';

const all = { levels: 64, limit: Number.POSITIVE_INFINITY, rows: Number.POSITIVE_INFINITY } as const;
const secrets = ['anothe', 'nested', '123456'];

/** What an entry says, compared with what the document shows in its place. */
function compareEntry(entry: OutlineEntry, json: unknown): void {
  const { kind, preview, isCut, target, entries } = entry;
  if (entries !== undefined) {
    compare(entries, json);
    return;
  }
  // Anything else would be a container that was not opened.
  if (typeof json === 'object' && json !== null) throw new Error(`${kind} stands in the place of a container`);
  if (kind === 'reference') expect(json).toBe(`[Reference ${target === '' ? '/' : target}]`);
  else if (kind === 'date') expect(preview).toBe(json === null ? 'Invalid Date' : new Date(Number(json)).toISOString());
  else if (isCut) expect(String(json).startsWith(preview.slice(0, 100))).toBe(true);
  else if (kind === 'bigint') expect(Number(preview)).toBe(json);
  else expect(preview).toBe(String(json));
  expect(['object', 'array', 'map', 'set']).not.toContain(kind);
  if (kind === 'number' || kind === 'boolean')
    expect(typeof json === kind || /^-?Infinity$|^NaN$/.test(preview)).toBe(true);
}

function compare({ entries, size, hasMore, from }: Outline, json: unknown): void {
  const expected = Object.entries(json ?? {});
  const sorted = inOrderOfJson(entries, ({ key }) => key);
  expect([sorted.map(({ key }) => key), hasMore, from]).toEqual([expected.map(([key]) => key), false, 0]);
  expect(size).toBeGreaterThanOrEqual(entries.length);
  sorted.forEach((entry, index) => {
    compareEntry(entry, expected[index]?.[1] ?? null);
  });
}

describe('the outline of any bean', { timeout: 120_000 }, () => {
  it('has the keys and values of its document in their order, and markers where it has markers', () => {
    fc.assert(
      fc.property(anyBean, (bean) => {
        const wrapped = { bean };
        compare(outline(wrapped, { ...all, secrets }), shown(wrapped, { secrets }));
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
