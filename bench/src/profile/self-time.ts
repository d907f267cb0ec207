import type { Profiler } from 'node:inspector';
import type { SeenFunction } from './layer.ts';

/** How often a function was at work itself, not what it called, when the profiler looked. */
export interface SelfTime extends SeenFunction {
  readonly samples: number;
}

export type FindSource = (address: string, line: number, column: number) => string;

/** The functions of a profile that were at work, in no order; waiting is no work. */
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
