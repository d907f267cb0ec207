import { stringifyChunked } from '@discoveryjs/json-ext';
import { inspect } from '@jig/inspect';
import { XMLBuilder } from 'fast-xml-parser';
import { configure } from 'safe-stable-stringify';
import { cpuTime } from '../samples.ts';
import type { BenchContext, Case, Suite } from '../suite.ts';
import { type BenchBean, benchBeans, masking } from './bench-beans.ts';

export const beanInspectionSuite: Suite = {
  name: 'bean-inspection',
  about:
    'A live bean as bytes, masking and all rules on, against `Buffer.from(JSON.stringify(equivalent plain data))`. The others write plain data that was made beforehand, and mask nothing.',
  open: (context) => benchBeans().flatMap((bean) => [beanCase(bean, 'json', context), beanCase(bean, 'xml', context)]),
};

function beanCase(benchBean: BenchBean, format: 'json' | 'xml', context: BenchContext): Case {
  const { name, bean, plain } = benchBean;
  const peers = Object.entries(peersOf(plain)[format]);
  return {
    name: `${name}, ${format.toUpperCase()}`,
    target: { speed: benchBean[format] },
    warmUps: 2,
    ours: cpuTime(() => inspect(bean, { format, masking }).toBytes(), context),
    reference: cpuTime(() => Buffer.from(JSON.stringify(plain)), context),
    peers: Object.fromEntries(peers.map(([peer, write]) => [peer, cpuTime(write, context)])),
  };
}

const stableStringify = configure({ deterministic: false });
const xmlBuilder = new XMLBuilder({});

/** Functions that write the same document, by the name of the package, each in the way that its documentation recommends for speed. */
export function peersOf(plain: unknown): Record<'json' | 'xml', Readonly<Record<string, () => Buffer>>> {
  // This package has no element name for the items of a list.
  const rooted = { root: Array.isArray(plain) ? { item: plain as unknown[] } : plain };
  return {
    json: {
      'safe-stable-stringify': () => Buffer.from(stableStringify(plain) ?? ''),
      '@discoveryjs/json-ext': () => Buffer.concat([...stringifyChunked(plain)].map((chunk) => Buffer.from(chunk))),
    },
    xml: { 'fast-xml-parser': () => Buffer.from(xmlBuilder.build(rooted)) },
  };
}
