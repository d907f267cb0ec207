import { inspect } from '@jig/inspect';
import { type BenchBean, benchBeans } from '../bean-inspection/beans.ts';
import { masking } from '../bean-inspection/masking.ts';
import { cpuTime } from '../cpu-time.ts';
import type { BenchContext, Case, Suite } from '../suite.ts';
import { jsonPeers } from './json-peers.ts';
import type { Writers } from './peer.ts';
import { xmlPeers } from './xml-peers.ts';

/** Apart from the cases that are judged: what some of the others leave to the garbage collector would otherwise be in their numbers. */
export const peersSuite: Suite = {
  name: 'peers',
  about:
    'Others who write JSON or XML, beside ours: how fast each is against `Buffer.from(JSON.stringify(plain data))`, 2 being twice as fast. Ours reads the live bean, masking and all rules on; the others write plain data that was made beforehand, and mask nothing. `fast-json-stringify` is given a schema of the data.',
  layout: 'matrix',
  open(context) {
    return {
      cases: benchBeans().flatMap((bean) => [
        peerCase(bean, 'json', jsonPeers(bean.plain), context),
        peerCase(bean, 'xml', xmlPeers(bean.plain), context),
      ]),
    };
  },
};

function peerCase(
  { name, bean, plain }: BenchBean,
  format: 'json' | 'xml',
  peers: Writers,
  context: BenchContext,
): Case {
  return {
    name: `${name}, ${format.toUpperCase()}`,
    unit: 'µs CPU',
    target: { shown: true },
    ours: cpuTime(() => inspect(bean, { format, masking }).toBytes(), context),
    reference: cpuTime(() => Buffer.from(JSON.stringify(plain)), context),
    peers: Object.fromEntries(Object.entries(peers).map(([peer, write]) => [peer, cpuTime(write, context)])),
    ...(name.startsWith('Map') ? { rounds: context.quick ? 2 : 3 } : {}),
  };
}
