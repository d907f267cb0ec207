import type { BeanDescription } from '../sources/bean-source.ts';
import { type BeanGraph, countByOwner, type Dependency } from './bean-graph.ts';

export const node = { width: 176, height: 30 } as const;
const rowStep = 46;
const columnStep = node.width + 74;
/** So that five columns fit a page of 1,280 pixels, with the borders of the card. */
const margin = { left: 19, top: 8 } as const;
const lane = { head: 34, foot: 10, gap: 10 } as const;
const columnX = (column: number) => margin.left + column * columnStep;
/** How far a wire that leads back is below those that lead on. */
const backStep = 8;

export interface PlacedBean {
  readonly bean: BeanDescription;
  readonly x: number;
  readonly y: number;
}

/** All beans of an owner are in its lane. */
export interface Lane {
  readonly owner: string;
  readonly y: number;
  readonly height: number;
}

export interface Wire extends Dependency {
  /** As in the attribute `d` of a path. */
  readonly path: string;
}

export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  readonly lanes: readonly Lane[];
  /** In reading order. */
  readonly nodes: readonly PlacedBean[];
  readonly wires: readonly Wire[];
}

/** What a drawing can have at most: more could not be read. */
export const largestGraph = { beans: 1000, dependencies: 3000 } as const;

/** Places the beans: a lane for each owner, and columns from what needs others to what is needed. */
export function layOut(graph: BeanGraph): GraphLayout {
  const cells = findCells(graph);
  const hasLone = cells.some((cell) => !isTied(cell));
  const columns = cells.reduce((most, { column }) => Math.max(most, column + 1), hasLone ? fewestColumns : 1);
  const { lanes, nodes, height } = placeInLanes(cells, countByOwner(graph.beans), columns);
  const width = margin.left * 2 + (columns - 1) * columnStep + node.width;
  return { width, height, lanes, nodes, wires: drawWires(nodes, graph.dependencies) };
}

/** A bean in its column; `order` is where it wants to be in it, from above. A bean that stands alone takes any free place. */
interface Cell {
  readonly bean: BeanDescription;
  readonly column: number;
  readonly order: number;
}

const isTied = ({ order }: Cell) => order !== Number.POSITIVE_INFINITY;

/** Enough for beans that stand alone, which would make one long column otherwise. */
const fewestColumns = 5;

function findCells({ beans, dependencies }: BeanGraph): readonly Cell[] {
  const arrows = dependencies.filter(({ from, to }) => from !== to);
  const tied = [...new Set(arrows.flatMap(({ from, to }) => [from, to]))];
  const numbers = new Map(tied.map((bean, index) => [bean, index]));
  const number = (bean: BeanDescription) => numbers.get(bean) ?? 0;
  const places: Columns = findColumns({
    count: tied.length,
    arrows: arrows.map(({ from, to }) => [number(from), number(to)]),
  });
  return beans.map((bean) => ({
    bean,
    ...(places[numbers.get(bean) ?? -1] ?? { column: 0, order: Number.POSITIVE_INFINITY }),
  }));
}

/** Lanes come in the order in which their beans would come without lanes, so that wires stay short. */
function placeInLanes(cells: readonly Cell[], owners: ReadonlyMap<string, number>, columns: number) {
  const cellsByOwner = new Map<string, Cell[]>([...owners.keys()].map((owner) => [owner, []]));
  for (const cell of cells) cellsByOwner.get(cell.bean.owner)?.push(cell);
  const inOrder = [...cellsByOwner].sort(([, a], [, b]) => meanOrder(a) - meanOrder(b) || 0);
  const lanes: Lane[] = [];
  const nodes: PlacedBean[] = [];
  let y: number = margin.top;
  for (const [owner, own] of inOrder) {
    let count = 0;
    for (const [{ bean }, { column, row }] of assignRows(own, columns)) {
      nodes.push({ bean, x: columnX(column), y: y + lane.head + row * rowStep });
      count = Math.max(count, row + 1);
    }
    const height = lane.head + count * rowStep - (rowStep - node.height) + lane.foot;
    lanes.push({ owner, y, height });
    y += height + lane.gap;
  }
  nodes.sort((a, b) => a.y - b.y || a.x - b.x);
  return { lanes, nodes, height: y - lane.gap + margin.top };
}

function meanOrder(cells: readonly Cell[]): number {
  const tied = cells.filter(isTied);
  if (tied.length === 0) return Number.MAX_VALUE;
  return tied.reduce((sum, { order }) => sum + order, 0) / tied.length;
}

/** From above without gaps; then lone beans, where there is room. */
function assignRows(cells: readonly Cell[], columns: number): ReadonlyMap<Cell, { column: number; row: number }> {
  const places = new Map<Cell, { column: number; row: number }>();
  const used = Array.from({ length: columns }, () => 0);
  for (const cell of cells.filter(isTied).sort((a, b) => a.order - b.order)) {
    const row = used[cell.column] ?? 0;
    used[cell.column] = row + 1;
    places.set(cell, { column: cell.column, row });
  }
  let [column, row] = [-1, 0];
  for (const cell of cells.filter((each) => !isTied(each))) {
    do {
      column++;
      if (column === columns) [column, row] = [0, row + 1];
    } while ((used[column] ?? 0) > row);
    places.set(cell, { column, row });
  }
  return places;
}

function drawWires(nodes: readonly PlacedBean[], dependencies: readonly Dependency[]): readonly Wire[] {
  const placed = new Map(nodes.map((each) => [each.bean, each]));
  const wires = dependencies.flatMap((dependency) => {
    const from = placed.get(dependency.from);
    const to = placed.get(dependency.to);
    return from === undefined || to === undefined ? [] : [{ ...dependency, path: pathBetween(from, to) }];
  });
  // What is part of a cycle is drawn last, and so on top.
  return wires.sort((a, b) => Number(a.isLoop) - Number(b.isLoop));
}

/** One curve. Boxes between its ends are drawn over it. */
function pathBetween(from: PlacedBean, to: PlacedBean): string {
  if (from === to) return loopPath(from);
  const isBack = to.x < from.x;
  const [x1, x2] = isBack ? [from.x, to.x + node.width] : [from.x + node.width, to.x];
  const down = node.height / 2 + (isBack ? backStep : 0);
  const turn = (x1 + x2) / 2;
  return `M${x1} ${from.y + down}C${turn} ${from.y + down} ${turn} ${to.y + down} ${x2} ${to.y + down}`;
}

/** From a bean to itself, over its corner. */
function loopPath({ x, y }: PlacedBean): string {
  const right = x + node.width;
  return `M${right} ${y + 10}C${right + 26} ${y + 4} ${right + 4} ${y - 20} ${right - 16} ${y - 1}`;
}

/** A graph as numbers: how many nodes it has, and from which node to which its arrows go. */
interface Arrows {
  readonly count: number;
  readonly arrows: readonly (readonly [number, number])[];
}

/** Where each node belongs, by its number: which column from the left, and how far down in it. */
type Columns = readonly { readonly column: number; readonly order: number }[];

/** How often the order in the columns is improved; more changes little. */
const sweeps = 12;

/**
 * The longest way to a node decides its column, so that beans that nobody needs are at the left, where one looks first, and
 * what it needs next to it; neighbours decide the order in a column.
 */
function findColumns({ count, arrows }: Arrows): Columns {
  const neededBy: number[][] = Array.from({ length: count }, () => []);
  for (const [from, to] of arrows) neededBy[to]?.push(from);
  const columns = longestWays(neededBy);
  const orders = findOrders(columns, arrows);
  return columns.map((column, node) => ({ column, order: orders[node] ?? 0 }));
}

/** How many arrows the longest way to each node has. Arrows that close a cycle do not count. */
function longestWays(neededBy: readonly (readonly number[])[]): readonly number[] {
  const ways: number[] = [];
  const open = new Set<number>();
  const wayTo = (to: number): number => {
    const known = ways[to];
    if (known !== undefined) return known;
    open.add(to);
    let way = 0;
    for (const from of neededBy[to] ?? []) if (!open.has(from)) way = Math.max(way, wayTo(from) + 1);
    open.delete(to);
    ways[to] = way;
    return way;
  };
  return neededBy.map((_, to) => wayTo(to));
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
