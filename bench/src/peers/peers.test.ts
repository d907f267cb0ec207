import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { jsonPeers } from './json-peers.ts';
import { schemaOf } from './schema-of.ts';
import { xmlPeers } from './xml-peers.ts';

const device = { expiration: 1577185199000, ratio: 0.25, usn: 'uuid:ü "1"', on: true, params: {}, entity: null };
const plain = { name: 'x', devices: [device, device], none: [] };

describe('a peer writes the whole document, or its number would mean nothing', () => {
  it.each(Object.entries(jsonPeers(plain)))('as JSON: %s', (_, write) => {
    expect(JSON.parse(write().toString())).toEqual(plain);
  });

  it('as JSON, with keys that are data', () => {
    const map = Object.fromEntries(Array.from({ length: 200 }, (_, number) => [`uuid:${number}`, device]));
    for (const write of Object.values(jsonPeers(map))) expect(JSON.parse(write().toString())).toEqual(map);
  });

  it.each(Object.entries(xmlPeers([device, device])))('as XML: %s', (_, write) => {
    const read = new XMLParser().parse(write()) as { root: { item: unknown[] } };
    expect(read.root.item).toHaveLength(2);
    expect(read.root.item[1]).toMatchObject({ expiration: 1577185199000, usn: 'uuid:ü "1"', on: true });
  });
});

describe('schemaOf', () => {
  it('tells keys that are declared from keys that are data', () => {
    expect(schemaOf({ id: 1 })).toEqual({ type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] });
    const map = Object.fromEntries(Array.from({ length: 101 }, (_, key) => [key, 'text']));
    expect(schemaOf(map)).toEqual({ type: 'object', additionalProperties: { type: 'string' } });
  });
});
