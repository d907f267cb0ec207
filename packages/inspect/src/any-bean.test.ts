import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyBean, anyKey, anyPrototypeChange, ChangingClass } from '../test-fixtures/any-bean.ts';
import { everyWay, plainly, written } from '../test-fixtures/both-ways.ts';
import { propertyRuns } from '../test-fixtures/property-runs.ts';
import { asJson, asXml, treeOf } from '../test-fixtures/tree.ts';
import {
  readWithExpat,
  readWithFastXmlParser,
  readWithLibxml2,
  refusedByFastXmlParser,
} from '../test-fixtures/xml-readers.ts';
import { typeName } from './walk/reflection.ts';

const xml = { format: 'xml' } as const;

describe('any bean', { timeout: 120_000 }, () => {
  it('is written as JSON that parses to what the walk reports', () => {
    fc.assert(
      fc.property(anyBean, (bean) => {
        expect(JSON.parse(plainly(bean))).toEqual(asJson(treeOf(bean)));
      }),
      propertyRuns(150),
    );
  });

  it('is written by the writer as by the plain walk', () => {
    const longNumber = fc.bigInt({ min: -(2n ** 400n), max: 2n ** 400n });
    const limits = fc.record({ depth: fc.constantFrom(1, 2, 64), limit: fc.constantFrom(1, 3, undefined) });
    fc.assert(
      fc.property(
        anyBean,
        longNumber,
        limits,
        fc.constantFrom('json', 'xml'),
        (any, number, { depth, limit }, format) => {
          const bean = number > 0n ? any : [number, any, new Map([[number, any]])];
          const [plain, ...others] = everyWay(bean, {
            format,
            depth,
            limit,
            text: 64,
            secrets: ['anothe', 'nested', '123456'],
          });
          for (const other of others) expect(other).toBe(plain);
        },
      ),
      propertyRuns(250),
    );
  });

  it('is written the same by both, with the same getters called, while its classes change between documents', () => {
    fc.assert(
      fc.property(fc.array(anyPrototypeChange, { maxLength: 8 }), fc.constantFrom('json', 'xml'), (changes, format) => {
        const changing = new ChangingClass();
        const looked = (look: typeof plainly) => {
          for (const key of Object.keys(changing.calls)) delete changing.calls[key];
          return { document: look(changing.bean, { format }), calls: { ...changing.calls } };
        };
        for (const change of [undefined, ...changes]) {
          if (typeof change === 'boolean') changing.insert(change);
          else if (change !== undefined) changing.apply(change);
          const plain = looked(plainly);
          for (let round = 0; round < 4; round++) expect(looked(written)).toEqual(plain);
        }
      }),
      propertyRuns(300),
    );
  });

  it('is written as indented JSON with the same content', () => {
    fc.assert(
      fc.property(anyBean, (bean) => {
        expect(JSON.parse(plainly(bean, { pretty: true }))).toEqual(JSON.parse(plainly(bean)));
      }),
      propertyRuns(100),
    );
  });

  it('is written as XML that libxml2, expat and fast-xml-parser read as what the walk reports', async () => {
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

  it('has no two keys with the same escaped name', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyKey, { maxLength: 20 }), (keys) => {
        const map = new Map(keys.map((key, index) => [key, index]));
        const names = [...plainly(map, xml).matchAll(/<([^/>]+)>/g)].map(([, name]) => name);
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
        for (const document of [...everyWay(outer), ...everyWay(outer, xml)]) expect(document).not.toContain(secret);
      }),
      propertyRuns(50),
    );
  });
});
