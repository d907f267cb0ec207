import { stringifyChunked } from '@discoveryjs/json-ext';
import { inspect } from '@jig/inspect';
import fastJsonStringify, { type Schema } from 'fast-json-stringify';
import { XMLBuilder } from 'fast-xml-parser';
import { configure } from 'safe-stable-stringify';
import { create } from 'xmlbuilder2';
import { cpuTime } from '../cpu-time.ts';
import type { BenchContext, Case, Contender, Suite } from '../suite.ts';
import { type BenchBean, benchBeans, masking } from './bench-beans.ts';

/** Of a sample, in µs: they are many, and only shown. */
const minimum = 40_000;

/** A suite of its own, so that the garbage of other packages is not collected during the judged cases. */
export const peersSuite: Suite = {
  name: 'peers',
  about:
    'Other packages that write JSON or XML, beside ours: how fast each is against `Buffer.from(JSON.stringify(plain data))`, 2 being twice as fast. Ours reads the live bean, masking and all rules on; the others write plain data that was made beforehand, and mask nothing. `fast-json-stringify` is given a schema of the data.',
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
    ours: cpuTime(() => inspect(bean, { format, masking }).toBytes(), context, minimum),
    reference: cpuTime(() => Buffer.from(JSON.stringify(plain)), context, minimum),
    peers: Object.fromEntries(
      Object.entries(peers).map(([peer, write]) => [peer, onceIfSlow(cpuTime(write, context, minimum))]),
    ),
    // A single document takes some of them seconds, which is warm enough.
    ...(name.startsWith('Map') ? { rounds: 2, warmUps: 0 } : { warmUps: 2 }),
  };
}

/** A document that takes seconds is written once: its further samples are the first. */
function onceIfSlow(contender: Contender): Contender {
  let slow: number | undefined;
  return {
    async sample() {
      const sample = slow ?? (await contender.sample());
      if (sample > 2e6) slow = sample;
      return sample;
    },
  };
}

const stableStringify = configure({ deterministic: false });
const xmlBuilder = new XMLBuilder({});

/** Functions that write the same document, by the name of the package. */
export type Writers = Readonly<Record<string, () => Buffer>>;

/** Each package is used in the way that its documentation recommends for speed. */
export function jsonPeers(plain: unknown): Writers {
  const stringifyBySchema = fastJsonStringify(schemaOf(plain));
  return {
    'fast-json-stringify': () => Buffer.from(stringifyBySchema(plain)),
    'safe-stable-stringify': () => Buffer.from(stableStringify(plain) ?? ''),
    '@discoveryjs/json-ext': () => Buffer.concat([...stringifyChunked(plain)].map((chunk) => Buffer.from(chunk))),
  };
}

export function xmlPeers(plain: unknown): Writers {
  // These packages have no element name for the items of a list.
  const rooted = { root: Array.isArray(plain) ? { item: plain as unknown[] } : plain };
  return {
    'fast-xml-parser': () => Buffer.from(xmlBuilder.build(rooted)),
    xmlbuilder2: () => Buffer.from(create(rooted).end()),
  };
}

/** Objects with more keys than this are maps: their keys are data, which a schema does not declare. */
const maximumDeclaredKeys = 100;

/** The JSON Schema that an author would write for this data. All items of a list, and all values of a map, have the schema of the first. */
export function schemaOf(value: unknown): Schema {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) return { type: 'array', items: value.length === 0 ? {} : schemaOf(value[0]) };
  if (typeof value === 'object') return objectSchema(Object.entries(value));
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  return { type: typeof value === 'boolean' ? 'boolean' : 'string' };
}

function objectSchema(entries: readonly [string, unknown][]): Schema {
  if (entries.length > maximumDeclaredKeys) return { type: 'object', additionalProperties: schemaOf(entries[0]?.[1]) };
  const properties = Object.fromEntries(entries.map(([key, value]) => [key, schemaOf(value)]));
  return { type: 'object', properties, required: Object.keys(properties) };
}
