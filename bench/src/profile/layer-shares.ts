import type { Profiler } from 'node:inspector';
import type { FunctionShare, LayerShare } from '../suite.ts';

/** Where time goes, from the socket inwards. */
const layers = [
  'writing to sockets',
  'native code: reading sockets, parsing HTTP',
  'Node: http, streams, timers',
  'Fastify',
  'host',
  'sessions',
  'clock',
  'bean inspection: routes and access',
  'bean inspection: walk and writers',
  'other libraries',
  'garbage collection',
] as const;

type Layer = (typeof layers)[number];

export interface ProfiledFunction {
  readonly name: string;
  /** `node:net`, or the path from the root of the repository. A function without a source has that of its caller. */
  readonly source: string;
  /** Not written in JavaScript. */
  readonly isNative: boolean;
}

/** In how many samples a function itself was running, not a function that it called. */
export interface SelfTime extends ProfiledFunction {
  readonly samples: number;
}

export type FindSource = (url: string, line: number, column: number) => string;

/** The functions of a profile that were running, in no particular order. Idle time is left out. */
export function selfTimes({ nodes }: Profiler.Profile, findSource: FindSource): SelfTime[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const [root] = nodes;
  const found: SelfTime[] = [];
  const waiting = root === undefined ? [] : [{ node: root, callerSource: '' }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, callerSource } = next;
    const { functionName: name, url, scriptId, lineNumber, columnNumber } = node.callFrame;
    const source = url === '' ? callerSource : findSource(url, lineNumber, columnNumber);
    const samples = node.hitCount ?? 0;
    if (samples > 0 && name !== '(idle)') found.push({ name, source, isNative: scriptId === '0', samples });
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child !== undefined) waiting.push({ node: child, callerSource: source });
    }
  }
  return found;
}

/** The share of every layer, in the order of the layers. */
export function layerShares(times: readonly SelfTime[]): LayerShare[] {
  const byLayer = sumsBy(times, layerOf);
  return layers.map((layer) => ({ layer, share: (byLayer.get(layer) ?? 0) / total(times) }));
}

/** The functions with the largest shares, the largest first. */
export function heaviestFunctions(times: readonly SelfTime[], count: number): FunctionShare[] {
  const key = ({ name, source }: SelfTime) => JSON.stringify([name, source]);
  const sums = sumsBy(times, key);
  const distinct = new Map(times.map((time) => [key(time), time]));
  return [...distinct]
    .map(([own, time]) => {
      const { name, source } = time;
      return { name, source, layer: layerOf(time), share: (sums.get(own) ?? 0) / total(times) };
    })
    .sort((one, other) => other.share - one.share)
    .slice(0, count);
}

function sumsBy<Key>(times: readonly SelfTime[], keyOf: (time: SelfTime) => Key): Map<Key, number> {
  const sums = new Map<Key, number>();
  for (const time of times) sums.set(keyOf(time), (sums.get(keyOf(time)) ?? 0) + time.samples);
  return sums;
}

const total = (times: readonly SelfTime[]) => times.reduce((sum, { samples }) => sum + samples, 0);

/** Names that V8 gives to what is not a function. */
const layersOfEngine: Readonly<Record<string, Layer>> = {
  '(garbage collector)': 'garbage collection',
  '(program)': 'native code: reading sockets, parsing HTTP',
};

const socketWrite = /^(writev|write(Buffer|Latin1String|Utf8String|AsciiString)|shutdown)$/;

/** The first pattern that matches a source decides. */
const layersBySource: readonly (readonly [RegExp, Layer])[] = [
  [/^node:/, 'Node: http, streams, timers'],
  [/node_modules\/(@fastify\/|fastify|find-my-way|avvio|fastq|reusify|light-my-request)/, 'Fastify'],
  [/node_modules\//, 'other libraries'],
  [/^packages\/sessions\//, 'sessions'],
  [/^packages\/clock\//, 'clock'],
  [/^packages\/bean-inspection\//, 'bean inspection: routes and access'],
  [/^packages\/inspect\//, 'bean inspection: walk and writers'],
];

export function layerOf({ name, source, isNative }: ProfiledFunction): Layer {
  if (isNative && source.startsWith('node:') && socketWrite.test(name)) return 'writing to sockets';
  return layersOfEngine[name] ?? layersBySource.find(([pattern]) => pattern.test(source))?.[1] ?? 'host';
}
