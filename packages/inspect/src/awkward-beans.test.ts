import { describe, expect, it } from 'vitest';
import { awkwardBeans } from '../test-fixtures/awkward-beans.ts';
import { everyWay } from '../test-fixtures/both-ways.ts';
import { readWithExpat, readWithLibxml2 } from '../test-fixtures/xml-readers.ts';
import type { InspectionOptions } from './inspection-options.ts';

/** Expects the same document of every way; a failure names the format, the writer and its round. */
function expectEveryWay(value: unknown, document: string, options: InspectionOptions = {}): void {
  const format = options.format === 'xml' ? 'XML' : 'JSON';
  for (const [round, written] of everyWay(value, options).entries()) {
    expect(written, `${format}, ${round === 0 ? 'plain' : `writer, round ${round}`}`).toBe(document);
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
