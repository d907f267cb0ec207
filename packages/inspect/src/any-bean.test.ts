import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyBean, anyKey } from '../test-fixtures/any-bean.ts';
import { propertyRuns } from '../test-fixtures/property-runs.ts';
import { written } from '../test-fixtures/shown.ts';
import { asJson, asXml, treeOf } from '../test-fixtures/tree.ts';
import {
  readWithExpat,
  readWithFastXmlParser,
  readWithLibxml2,
  refusedByFastXmlParser,
} from '../test-fixtures/xml-readers.ts';
import { typeName } from './objects/reflection.ts';

const xml = { format: 'xml' } as const;

describe('any bean', { timeout: 120_000 }, () => {
  it('is written as JSON with the values that the walk reports', () => {
    fc.assert(
      fc.property(anyBean, (bean) => {
        expect(JSON.parse(written(bean))).toEqual(asJson(treeOf(bean)));
      }),
      propertyRuns(150),
    );
  });

  it('is written as indented JSON with the same content', () => {
    fc.assert(
      fc.property(anyBean, (bean) => {
        expect(JSON.parse(written(bean, { pretty: true }))).toEqual(JSON.parse(written(bean)));
      }),
      propertyRuns(100),
    );
  });

  it('is written as XML that libxml2, expat and fast-xml-parser read with the values that the walk reports', async () => {
    const beans = fc.sample(anyBean, { ...propertyRuns(100), seed: 20191224 });
    const expected = beans.map((bean) => asXml(typeName(bean), treeOf(bean)));
    const documents = beans.map((bean) => written(bean, xml));
    expect(await readWithExpat(documents)).toEqual(expected);
    expect(await readWithLibxml2(documents)).toEqual(expected);
    const readable = documents.filter((document) => !refusedByFastXmlParser.test(document));
    expect(readable.length).toBeGreaterThan(50);
    expect(readable.map(readWithFastXmlParser)).toEqual(
      expected.filter((_, index) => !refusedByFastXmlParser.test(documents[index] as string)),
    );
  });

  it('has different escaped names for different keys', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyKey, { maxLength: 20 }), (keys) => {
        const map = new Map(keys.map((key, index) => [key, index]));
        const names = [...written(map, xml).matchAll(/<([^/>]+)>/g)].map(([, name]) => name);
        expect(new Set(names).size).toBe(names.length);
      }),
      propertyRuns(150),
    );
  });

  it('never shows the value of a secret key, at any depth', () => {
    const hidden = fc.string({ minLength: 12, maxLength: 12, unit: fc.constantFrom('q', 'w', 'z') });
    fc.assert(
      fc.property(anyBean, hidden, fc.array(anyKey, { maxLength: 5 }), (bean, secret, path) => {
        const inner = { bean, dbPassword: secret, tokens: [secret], cookie: { value: new Map([['x', secret]]) } };
        const outer = path.reduce<unknown>((value, key) => new Map([[key, value]]), inner);
        for (const document of [written(outer), written(outer, xml)]) expect(document).not.toContain(secret);
      }),
      propertyRuns(50),
    );
  });
});
