/** A graph as numbers: how many nodes it has, and from which node to which its arrows go. */
export interface Arrows {
  readonly count: number;
  readonly arrows: readonly (readonly [number, number])[];
}

/** Where each node belongs, by its number: which column from the left, and how far down in it. */
export type Columns = readonly { readonly column: number; readonly order: number }[];

/** How often the order in the columns is improved; more changes little. */
const sweeps = 12;

/**
 * The longest way to a node decides its column, so that all that nobody needs is at the left, where one looks first, and
 * what it needs next to it; neighbours decide the order in a column.
 */
export function findColumns({ count, arrows }: Arrows): Columns {
  const neededBy: number[][] = Array.from({ length: count }, () => []);
  for (const [from, to] of arrows) neededBy[to]?.push(from);
  const columns = longestWays(neededBy);
  const orders = findOrders(columns, arrows);
  return columns.map((column, node) => ({ column, order: orders[node] ?? 0 }));
}

/** How many arrows the longest way to each node has. Arrows that close a cycle do not count. */
function longestWays(neededBy: readonly (readonly number[])[]): readonly number[] {
  const ways = neededBy.map(() => -1);
  const isOpen = neededBy.map(() => false);
  for (const start of neededBy.keys()) {
    // A stack of its own, since a chain of beans can be longer than the stack of calls.
    const stack = ways[start] === -1 ? [{ node: start, next: 0, way: 0 }] : [];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      isOpen[top.node] = true;
      const needing = neededBy[top.node]?.[top.next++];
      if (needing === undefined) {
        ways[top.node] = top.way;
        isOpen[top.node] = false;
        stack.pop();
      } else if (ways[needing] !== -1) {
        top.way = Math.max(top.way, (ways[needing] ?? 0) + 1);
      } else if (isOpen[needing] !== true) {
        top.next--;
        stack.push({ node: needing, next: 0, way: 0 });
      }
    }
  }
  return ways;
}

/** Each node moves to the middle of its neighbours, column by column, to and fro (the barycentre heuristic of Sugiyama). */
function findOrders(columns: readonly number[], arrows: Arrows['arrows']): readonly number[] {
  const neighbours: number[][] = columns.map(() => []);
  for (const [from, to] of arrows) {
    neighbours[from]?.push(to);
    neighbours[to]?.push(from);
  }
  const members: number[][] = [];
  for (const [node, column] of columns.entries()) {
    members[column] ??= [];
    members[column].push(node);
  }
  const orders = columns.map(() => 0);
  // The middles of all columns are at one height.
  const number = (nodes: readonly number[]) => {
    for (const [index, node] of nodes.entries()) orders[node] = index - (nodes.length - 1) / 2;
  };
  for (const nodes of members) number(nodes);
  const middle = (node: number) => {
    const around = neighbours[node] ?? [];
    return around.reduce((sum, each) => sum + (orders[each] ?? 0), 0) / Math.max(1, around.length);
  };
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (const nodes of sweep % 2 === 0 ? members.toReversed() : members) {
      const middles = new Map(nodes.map((node) => [node, middle(node)]));
      nodes.sort((a, b) => (middles.get(a) ?? 0) - (middles.get(b) ?? 0));
      number(nodes);
    }
  }
  return orders;
}
