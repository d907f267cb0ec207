import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GlanceOptions } from '@jig/inspect';
import { maxSliceMs, stateOf } from '@jig/inspect/internal';
import type { BeanDescription } from '../sources/bean-source.ts';
import { cpuMs } from '../sources/process.ts';
import type { Beans, NamedBean } from './beans.ts';
import type { Look } from './look.ts';

/** A bean of the list, with its dependents and links to its documents. */
export interface ListedBean extends BeanDescription {
  readonly dependents: readonly string[];
  readonly links: { readonly json: string; readonly xml: string };
  /** Its state in a few words, if it exists and has one. */
  readonly line?: string | undefined;
}

/** A name as part of a URL; a lone surrogate becomes U+FFFD. */
export const encodeName = (name: string) => encodeURIComponent(Buffer.from(name).toString());

/** @param prefix of links */
export function listBeans(
  beans: readonly BeanDescription[],
  prefix: string,
  lines: ReadonlyMap<string, string> = new Map(),
): readonly ListedBean[] {
  const dependents = dependentsByName(beans);
  return beans.map(({ name, type, scope, owner, dependencies, instantiated, replaced = false, found, isMinor }) => {
    const path = `${prefix}/bean/${encodeName(name)}`;
    const line = lines.get(name);
    return {
      name,
      type,
      scope,
      owner,
      dependencies,
      dependents: dependents.get(name) ?? [],
      instantiated,
      replaced,
      links: { json: `${path}.json`, xml: `${path}.xml` },
      ...(line === undefined ? {} : { line }),
      ...(found === undefined ? {} : { found }),
      ...(isMinor === true ? { isMinor } : {}),
    };
  });
}

/** Like `listBeans`, with the state line of each existing bean. Unless `isAll`, a time budget applies; `left` counts the beans not read. */
export async function listWithLines(
  { beans, look }: { readonly beans: Beans; readonly look: Look },
  prefix: string,
  isAll = false,
): Promise<{ readonly beans: readonly ListedBean[]; readonly left: number }> {
  const budget = isAll ? Number.POSITIVE_INFINITY : budgetMs;
  const read = async () => stateLines(beans.existing(), look.options(), budget);
  // A source that fails here can still be listed.
  const { lines, left } = await read().catch(() => noLines);
  return { beans: listBeans(beans.describe(), prefix, lines), left };
}

/** Names are in sets: in an array, a name after `DATABASE_TOKEN` would be masked as its value. */
export function listDocument(beans: readonly ListedBean[]): object {
  const names = (all: readonly string[] | 'unknown') => (all === 'unknown' ? all : new Set(all));
  return {
    beans: beans.map((bean) => ({
      ...bean,
      dependencies: names(bean.dependencies),
      dependents: names(bean.dependents),
    })),
  };
}

/** As far as dependencies are known. */
function dependentsByName(beans: readonly BeanDescription[]): ReadonlyMap<string, readonly string[]> {
  const dependents = new Map<string, string[]>(beans.map(({ name }) => [name, []]));
  for (const { name, dependencies } of beans)
    if (dependencies !== 'unknown') for (const needed of dependencies) dependents.get(needed)?.push(name);
  return dependents;
}

/** How much CPU time all lines together may take, in slices; a single one may take 30 ms. */
const budgetMs = 200;

export interface StateLines {
  /** By the names of beans. */
  readonly lines: ReadonlyMap<string, string>;
  /** How many beans were not read. */
  readonly left: number;
}

const noLines: StateLines = { lines: new Map(), left: 0 };

/** A line on the state of each bean that has one, until the time is spent. Never throws. */
export async function stateLines(
  beans: Iterable<Pick<NamedBean, 'name' | 'value'>>,
  { views, masking, closed, privateFields }: GlanceOptions,
  budget: number,
  now: () => number = cpuMs,
): Promise<StateLines> {
  const lines = new Map<string, string>();
  let left = 0;
  let spent = 0;
  let start = now();
  // Wall-clock time ends slices, since reading CPU time is a slow system call.
  let sliceStart = performance.now();
  // Finding the next bean takes time too.
  for (const { name, value } of beans) {
    const line = spent < budget ? lineOf(value, { views, masking, closed, privateFields }) : '';
    if (spent >= budget) left++;
    if (line !== '') lines.set(name, line);
    if (performance.now() - sliceStart < maxSliceMs) continue;
    spent += now() - start;
    await nextTurn();
    start = now();
    sliceStart = performance.now();
  }
  return { lines, left };
}

function lineOf(value: unknown, options: GlanceOptions): string {
  try {
    return stateOf(value, options).line;
  } catch {
    // An object that fails must not keep others from being listed.
    return '';
  }
}
