import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** A graph as numbers: how many nodes it has, and from which node to which its arrows go. */
export interface Arrows {
  readonly count: number;
  readonly arrows: readonly (readonly [number, number])[];
}

/** Where each node belongs, by its number: which column from the left, and how far down in it. */
export type Columns = readonly { readonly column: number; readonly order: number }[];

/** What a drawing can have at most: more could neither be read nor be laid out in a few seconds. */
export const largestGraph = { beans: 400, dependencies: 1200 } as const;

const timeout = 10_000;

/**
 * As text, since a package is bundled into few files and a worker begins with a file of its own. The longest way down decides the column,
 * so that what needs nothing is at the right.
 */
const workerCode = `
const { parentPort, workerData } = require('node:worker_threads');
const { layout, graphlib } = require(workerData.dagre);
const graph = new graphlib.Graph();
graph.setGraph({ rankdir: 'LR', ranker: 'longest-path', nodesep: 16, ranksep: 74 });
for (let node = 0; node < workerData.count; node++) graph.setNode(node, { width: 164, height: 30 });
for (const [from, to] of workerData.arrows) graph.setEdge(from, to, {});
layout(graph);
parentPort.postMessage(Array.from({ length: workerData.count }, (_, node) => [graph.node(node).x, graph.node(node).y]));
`;

/** The layout that runs now; the next waits for it, so that many requests take one core, not all. */
let last: Promise<unknown> = Promise.resolve();

/** The layouts that were asked for last, since an application rarely changes; a few, for several owners. */
const recent = new Map<string, Promise<Columns>>();
const mostRecent = 8;

/** Lays a graph out, in a thread of its own: dagre takes half a second for three hundred nodes and cannot be interrupted. */
export function findColumns(graph: Arrows): Promise<Columns> {
  const key = JSON.stringify(graph);
  const known = recent.get(key);
  if (known !== undefined) return known;
  const coming = last.then(() => runDagre(graph));
  last = coming.catch(() => recent.delete(key));
  recent.set(key, coming);
  for (const oldest of recent.keys()) if (recent.size > mostRecent) recent.delete(oldest);
  return coming;
}

async function runDagre({ count, arrows }: Arrows): Promise<Columns> {
  if (count === 0) return [];
  const dagre = createRequire(import.meta.url).resolve('@dagrejs/dagre');
  const worker = new Worker(workerCode, { eval: true, workerData: { dagre, count, arrows }, execArgv: [] });
  // Nobody waits for a drawing when the application stops.
  worker.unref();
  try {
    const [places] = (await once(worker, 'message', { signal: AbortSignal.timeout(timeout) })) as [[number, number][]];
    const columns = [...new Set(places.map(([x]) => x))].sort((a, b) => a - b);
    return places.map(([x, y]) => ({ column: columns.indexOf(x), order: y }));
  } finally {
    await worker.terminate();
  }
}
