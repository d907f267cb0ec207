import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { jsonPeers, schemaOf, xmlPeers } from './peers-suite.ts';

const device = { expiration: 1577185199000, ratio: 0.25, usn: 'uuid:ü "1"', on: true, params: {}, entity: null };
const plain = { name: 'x', devices: [device, device], none: [] };

describe('peers', () => {
  it.each(Object.entries(jsonPeers(plain)))('%s writes the whole document as JSON', (_, write) => {
    expect(JSON.parse(write().toString())).toEqual(plain);
  });

  it('all JSON peers write the whole document when its keys are data', () => {
    const map = Object.fromEntries(Array.from({ length: 200 }, (_, number) => [`uuid:${number}`, device]));
    for (const write of Object.values(jsonPeers(map))) expect(JSON.parse(write().toString())).toEqual(map);
  });

  it.each(Object.entries(xmlPeers([device, device])))('%s writes the whole document as XML', (_, write) => {
    const read = new XMLParser().parse(write()) as { root: { item: unknown[] } };
    expect(read.root.item).toHaveLength(2);
    expect(read.root.item[1]).toMatchObject({ expiration: 1577185199000, usn: 'uuid:ü "1"', on: true });
  });
});

describe('schemaOf', () => {
  it('declares the keys of an object, and treats those of an object with more than 100 keys as data', () => {
    expect(schemaOf({ id: 1 })).toEqual({ type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] });
    const map = Object.fromEntries(Array.from({ length: 101 }, (_, key) => [key, 'text']));
    expect(schemaOf(map)).toEqual({ type: 'object', additionalProperties: { type: 'string' } });
  });
});
