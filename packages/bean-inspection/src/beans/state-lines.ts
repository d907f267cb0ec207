import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GlanceOptions } from '@jig/inspect';
import { maxSliceMs, stateOf } from '@jig/inspect/internal';

/** How long all lines together may take, in slices; on a busy machine a single one may take 30 ms. */
const budgetMs = 200;

interface NamedValue {
  readonly name: string;
  readonly value: unknown;
}

/** A line on the state of each bean that has one, by name; when time is up, of those that came first. Never throws. */
export async function stateLines(
  beans: readonly NamedValue[],
  { views, masking, closed }: GlanceOptions,
  now: () => number = () => performance.now(),
): Promise<ReadonlyMap<string, string>> {
  const lines = new Map<string, string>();
  let spent = 0;
  let slice = 0;
  for (const { name, value } of beans) {
    if (spent >= budgetMs) break;
    if (slice >= maxSliceMs) {
      await nextTurn();
      slice = 0;
    }
    const start = now();
    const line = lineOf(value, { views, masking, closed });
    if (line !== '') lines.set(name, line);
    const taken = now() - start;
    spent += taken;
    slice += taken;
  }
  return lines;
}

function lineOf(value: unknown, options: GlanceOptions): string {
  try {
    return stateOf(value, options).line;
  } catch {
    // Whatever an object is, it does not keep others from being listed.
    return '';
  }
}
