import { describe, expect, it } from 'vitest';
import { keyOfXmlName } from '../../test-fixtures/xml-readers.ts';
import { inspect } from '../inspect.ts';
import { xmlName } from './xml-name.ts';

describe('an element name', () => {
  it.each([
    ['name', 'name'],
    ['uuid:0000-1', 'uuid:0000-1'],
    ['', '_x_'],
    ['_x_', '_x005F_x_'],
    ['1a', '_x0031_a'],
    ['a b', 'a_x0020_b'],
    ['_x0020_', '_x005F_x0020_'],
    ['ключ', 'ключ'],
    ['😀', '_xD83D__xDE00_'],
    ['\ud800', '_xD800_'],
  ])('of %j is %s, and back', (key, name) => {
    expect(xmlName(key)).toBe(name);
    expect(keyOfXmlName(name)).toBe(key);
  });
});

describe('namespaces', () => {
  it('declare every prefix on the root, and escape colons that make no prefix', () => {
    const bean = new Map<string, unknown>([
      ['uuid:1', { 'x:y': 1 }],
      ['uuid:a', { 'a:b:c': 1, ':': 2, 'xmlns:q': 3, 'xml:lang': 4 }],
    ]);
    expect(inspect(bean, { format: 'xml', namespaces: true }).toString()).toBe(
      '<Map xmlns:uuid="urn:jig:uuid" xmlns:x="urn:jig:x" xmlns:a="urn:jig:a"><uuid:_x0031_><x:y>1</x:y></uuid:_x0031_>' +
        '<uuid:a><a:b_x003A_c>1</a:b_x003A_c><_x003A_>2</_x003A_>' +
        '<xmlns_x003A_q>3</xmlns_x003A_q><xml:lang>4</xml:lang></uuid:a></Map>',
    );
  });

  it('are declared on the element when a prefix appears late', () => {
    let looks = 0;
    const bean = {
      get map() {
        return new Map([[looks++ === 0 ? 'early:a' : 'late:a', 1]]);
      },
    };
    expect(inspect(bean, { format: 'xml', namespaces: true }).toString()).toBe(
      '<Object xmlns:early="urn:jig:early"><map><late:a xmlns:late="urn:jig:late">1</late:a></map></Object>',
    );
  });
});
