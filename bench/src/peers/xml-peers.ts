import { XMLBuilder } from 'fast-xml-parser';
import { create } from 'xmlbuilder2';
import type { Writers } from './peer.ts';

const xmlBuilder = new XMLBuilder({});

/** Others who write plain data as XML. */
export function xmlPeers(plain: unknown): Writers {
  const rooted = withRoot(plain);
  return {
    'fast-xml-parser': () => Buffer.from(xmlBuilder.build(rooted)),
    xmlbuilder2: () => Buffer.from(create(rooted).end()),
  };
}

/** They have no name of their own for the items of a list. */
function withRoot(plain: unknown): object {
  return { root: Array.isArray(plain) ? { item: plain as unknown[] } : plain };
}
