import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { peersOf } from './bean-inspection-suite.ts';

const device = { expiration: 1577185199000, ratio: 0.25, usn: 'uuid:ü "1"', on: true, params: {}, entity: null };
const plain = { name: 'x', devices: [device, device], none: [] };

describe('peersOf', () => {
  it.each(Object.entries(peersOf(plain).json))('%s writes the whole document as JSON', (_, write) => {
    expect(JSON.parse(write().toString())).toEqual(plain);
  });

  it.each(Object.entries(peersOf([device, device]).xml))('%s writes the whole document as XML', (_, write) => {
    const read = new XMLParser().parse(write()) as { root: { item: unknown[] } };
    expect(read.root.item).toHaveLength(2);
    expect(read.root.item[1]).toMatchObject({ expiration: 1577185199000, usn: 'uuid:ü "1"', on: true });
  });
});
