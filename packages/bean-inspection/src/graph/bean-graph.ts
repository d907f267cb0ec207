import type { BeanDescription } from '../sources/bean-source.ts';

/** One bean needs another; `isInCycle` if the other needs it too, directly or indirectly. */
export interface Dependency {
  readonly from: BeanDescription;
  readonly to: BeanDescription;
  readonly isInCycle: boolean;
}

/** Beans that need each other. */
export interface Cycle {
  /** A shortest path from one of them back to itself; the first is not repeated at the end. */
  readonly path: readonly string[];
  /** All of them. */
  readonly names: readonly string[];
}

/** Who needs whom, as far as it is known. */
export interface BeanGraph {
  readonly beans: readonly BeanDescription[];
  readonly dependencies: readonly Dependency[];
  readonly cycles: readonly Cycle[];
  /** The beans whose dependencies are not known. */
  readonly unknown: readonly string[];
}

/** The graph of these beans. Names that none of them has, such as of beans that are closed, are left out. */
export function beanGraph(beans: readonly BeanDescription[]): BeanGraph {
  const byName = new Map(beans.map((bean) => [bean.name, bean]));
  const needs = new Map(beans.map((bean) => [bean.name, knownNeeds(bean).filter((name) => byName.has(name))]));
  const components = stronglyConnected(needs);
  const componentOf = new Map(components.flatMap((names, index) => names.map((name) => [name, index])));
  const isInCycle = (from: string, to: string) => componentOf.get(from) === componentOf.get(to);
  return {
    beans,
    dependencies: beans.flatMap((from) =>
      (needs.get(from.name) ?? []).flatMap((name) => {
        const to = byName.get(name);
        return to === undefined ? [] : [{ from, to, isInCycle: isInCycle(from.name, name) }];
      }),
    ),
    cycles: components
      .filter((names) => names.length > 1 || needs.get(names[0] ?? '')?.includes(names[0] ?? ''))
      .map((names) => ({ names: names.sort(), path: shortestCycle(names, needs) })),
    unknown: beans.filter(({ dependencies }) => dependencies === 'unknown').map(({ name }) => name),
  };
}

/** How many beans each owner has, in the order of their names. */
export function countByOwner(beans: readonly BeanDescription[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { owner } of beans) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The names that a bean is known to need, each once. */
const knownNeeds = ({ dependencies }: BeanDescription): readonly string[] =>
  dependencies === 'unknown' ? [] : [...new Set(dependencies)];

type Needs = ReadonlyMap<string, readonly string[]>;

/** The groups of names that lead to each other (Tarjan 1972). */
function stronglyConnected(needs: Needs): string[][] {
  const components: string[][] = [];
  /** The order in which names were found; infinite once their component is complete. */
  const numbers = new Map<string, number>();
  const open: string[] = [];
  const visit = (name: string): number => {
    const own = numbers.size;
    numbers.set(name, own);
    open.push(name);
    let lowest = own;
    for (const needed of needs.get(name) ?? []) lowest = Math.min(lowest, numbers.get(needed) ?? visit(needed));
    if (lowest === own) {
      const component = open.splice(open.lastIndexOf(name));
      for (const each of component) numbers.set(each, Number.POSITIVE_INFINITY);
      components.push(component);
    }
    return lowest;
  };
  for (const name of needs.keys()) if (!numbers.has(name)) visit(name);
  return components;
}

/** The shortest path from the first name back to it, among names that all lead to each other (breadth-first search). */
function shortestCycle(names: readonly string[], needs: Needs): readonly string[] {
  const start = names.toSorted()[0] ?? '';
  const within = new Set(names);
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const name of queue) {
    for (const needed of needs.get(name) ?? []) {
      if (needed === start) {
        const path = [name];
        for (let before = cameFrom.get(name); before !== undefined; before = cameFrom.get(before)) path.push(before);
        return path.reverse();
      }
      if (!within.has(needed) || cameFrom.has(needed)) continue;
      cameFrom.set(needed, name);
      queue.push(needed);
    }
  }
  return [start];
}
