import { describe, expect, it } from 'vitest';
import { awkwardBeans } from '../test-fixtures/awkward-beans.ts';
import { written } from '../test-fixtures/shown.ts';
import { asXml, treeOf } from '../test-fixtures/tree.ts';
import { readWithExpat, readWithLibxml2 } from '../test-fixtures/xml-readers.ts';
import { typeName } from './objects/reflection.ts';

const xml = { format: 'xml' } as const;

describe('an awkward bean', () => {
  it.each(awkwardBeans)('is written as JSON: %s', (_, bean, json) => {
    expect(written(bean())).toBe(json);
  });

  it('is written as XML that expat and libxml2 read with the same content', async () => {
    const beans = awkwardBeans.map(([, bean]) => bean());
    const documents = beans.map((bean) => written(bean, xml));
    const expected = beans.map((bean) => asXml(typeName(bean), treeOf(bean)));
    expect(await readWithExpat(documents)).toEqual(expected);
    expect(await readWithLibxml2(documents)).toEqual(expected);
  }, 60_000);
});

describe('XML', () => {
  class Point {
    x = 1;
  }

  it.each<[string, unknown, string]>([
    ['names its root by the class', new Point(), '<Point><x>1</x></Point>'],
    [
      'names its root by the type of a value',
      [true, 1n].map((each) => written(each, xml)).join(),
      '<String>&lt;Boolean&gt;true&lt;/Boolean&gt;,&lt;BigInt&gt;1&lt;/BigInt&gt;</String>',
    ],
    [
      'has empty elements for what is absent or empty',
      { a: undefined, b: '', c: {}, d: [] },
      '<Object><a/><b/><c/><d/></Object>',
    ],
    [
      'has items for lists',
      [[1], new Set(['a'])],
      '<Array><item><item>1</item></item><item><item>a</item></item></Array>',
    ],
    [
      'has items with key and value for maps without names',
      new Map([[{ id: 1 }, 'a']]),
      '<Map><item><key><id>1</id></key><value>a</value></item></Map>',
    ],
    ['escapes markup', { a: '<b>&"\']]>' }, '<Object><a>&lt;b&gt;&amp;"\']]&gt;</a></Object>'],
    [
      'replaces characters that it cannot contain',
      ['\ud800', '\0\x1b', 'a\r\nb\t'],
      '<Array><item>\uFFFD</item><item>\uFFFD\uFFFD</item><item>a&#13;\nb\t</item></Array>',
    ],
    [
      'escapes keys that are no names',
      new Map(['a:b:c', '1', '-', 'xml', '', 'a b', '😀'].map((key) => [key, null])),
      '<Map><a:b:c/><_x0031_/><_x002D_/><xml/><_x_/><a_x0020_b/><_xD83D__xDE00_/></Map>',
    ],
    [
      'escapes keys that look escaped',
      new Map(['_x0020_', '_x_', '_xyz', 'a_x0020', '__proto__'].map((key) => [key, null])),
      '<Map><_x005F_x0020_/><_x005F_x_/><_xyz/><a_x005F_x0020/><__proto__/></Map>',
    ],
  ])('%s', (_, bean, document) => {
    expect(written(bean, xml)).toBe(document);
  });
});
