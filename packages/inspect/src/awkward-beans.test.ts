import { describe, expect, it } from 'vitest';
import { awkwardBeans } from '../test-fixtures/awkward-beans.ts';
import { everyWay, written } from '../test-fixtures/both-ways.ts';
import { asXml, treeOf } from '../test-fixtures/tree.ts';
import { readWithExpat, readWithLibxml2 } from '../test-fixtures/xml-readers.ts';
import { typeName } from './objects/reflection.ts';

describe('an awkward bean', () => {
  it.each(awkwardBeans)('$what', ({ bean, json, xml }) => {
    expect(everyWay(bean())).toEqual([json, json]);
    const [whole, sent] = everyWay(bean(), { format: 'xml' });
    expect(sent).toBe(whole);
    if (xml !== undefined) expect(whole).toBe(xml);
  });

  it('is always written as JSON and XML that parsers read with the same entries', async () => {
    for (const { json } of awkwardBeans) expect(() => JSON.parse(json)).not.toThrow();
    const beans = awkwardBeans.map(({ bean }) => bean());
    const documents = beans.map((bean) => written(bean, { format: 'xml' }));
    const expected = beans.map((bean) => asXml(typeName(bean), treeOf(bean)));
    expect(await readWithExpat(documents)).toEqual(expected);
    expect(await readWithLibxml2(documents)).toEqual(expected);
  }, 60_000);
});
