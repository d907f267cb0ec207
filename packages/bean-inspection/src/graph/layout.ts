import type { BeanDescription } from '../sources/bean-source.ts';
import { type BeanGraph, countByOwner, type Dependency } from './bean-graph.ts';

export const node = { width: 176, height: 30 } as const;
const rowStep = 46;
const columnStep = node.width + 74;
/** Small enough for five columns on a page of 1,280 pixels. */
const margin = { left: 19, top: 8 } as const;
const lane = { head: 34, foot: 10, gap: 10 } as const;
/** How far a wire to the left is below those to the right. */
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

/** The columns for beans without dependencies, which would make one long column otherwise. */
const fewestColumns = 5;

/** Places the beans: a lane for each owner, and columns from what needs others to what is needed. */
export function layOut({ beans, dependencies }: BeanGraph): GraphLayout {
  const arrows = dependencies.filter(({ from, to }) => from !== to);
  const columns = findColumns(arrows);
  const places = findPlaces(columns, arrows);
  const count = Math.max(
    columns.size < beans.length ? fewestColumns : 1,
    ...[...columns.values()].map((each) => each + 1),
  );
  // Lanes come in the order in which their beans would come without lanes, so that wires stay short.
  const owned = [...countByOwner(beans).keys()].map((owner) => {
    const own = beans.filter((bean) => bean.owner === owner);
    const linked = own.filter((bean) => columns.has(bean)).sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
    const mean = linked.length === 0 ? Number.MAX_VALUE : meanOf(linked.map((bean) => places.get(bean) ?? 0));
    return { owner, mean, members: [...linked, ...own.filter((bean) => !columns.has(bean))] };
  });
  const lanes: Lane[] = [];
  const nodes: PlacedBean[] = [];
  let y: number = margin.top;
  for (const { owner, members } of owned.sort((a, b) => a.mean - b.mean)) {
    const rows = Array.from({ length: count }, () => 0);
    for (const bean of members) {
      // A bean that stands alone takes any free place.
      const column = columns.get(bean) ?? rows.indexOf(Math.min(...rows));
      const row = rows[column] ?? 0;
      rows[column] = row + 1;
      nodes.push({ bean, x: margin.left + column * columnStep, y: y + lane.head + row * rowStep });
    }
    const height = lane.head + Math.max(...rows) * rowStep - (rowStep - node.height) + lane.foot;
    lanes.push({ owner, y, height });
    y += height + lane.gap;
  }
  nodes.sort((a, b) => a.y - b.y || a.x - b.x);
  const width = margin.left * 2 + (count - 1) * columnStep + node.width;
  return { width, height: y - lane.gap + margin.top, lanes, nodes, wires: drawWires(nodes, dependencies) };
}

const meanOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

/** The second beans of all pairs, by the first. */
function groupByBean(pairs: Iterable<readonly [BeanDescription, BeanDescription]>) {
  const groups = new Map<BeanDescription, BeanDescription[]>();
  for (const [bean, other] of pairs) {
    const group = groups.get(bean);
    if (group === undefined) groups.set(bean, [other]);
    else group.push(other);
  }
  return groups;
}

/**
 * The column of a bean is the length of the longest path to it: beans that nobody needs are at the left, what they need is to
 * their right. Arrows that close a cycle are ignored.
 */
function findColumns(arrows: readonly Dependency[]): ReadonlyMap<BeanDescription, number> {
  const neededBy = groupByBean(arrows.map(({ from, to }) => [to, from]));
  const columns = new Map<BeanDescription, number>();
  const visiting = new Set<BeanDescription>();
  const columnOf = (bean: BeanDescription): number => {
    const known = columns.get(bean);
    if (known !== undefined) return known;
    visiting.add(bean);
    let column = 0;
    for (const from of neededBy.get(bean) ?? []) if (!visiting.has(from)) column = Math.max(column, columnOf(from) + 1);
    visiting.delete(bean);
    columns.set(bean, column);
    return column;
  };
  for (const { from, to } of arrows) for (const bean of [from, to]) columnOf(bean);
  return columns;
}

/** How often the order in the columns is improved; more changes little. */
const sweeps = 4;

/** The places of beans in their columns, from above: each moves to the mean of its neighbours, column by column, back and forth (barycentre heuristic of Sugiyama). */
function findPlaces(columns: ReadonlyMap<BeanDescription, number>, arrows: readonly Dependency[]) {
  const neighbours = groupByBean(arrows.flatMap(({ from, to }) => [[from, to] as const, [to, from] as const]));
  const members: BeanDescription[][] = [];
  for (const [bean, column] of columns) {
    members[column] ??= [];
    members[column].push(bean);
  }
  const places = new Map<BeanDescription, number>();
  // All columns are centred at place 0.
  const spread = (beans: readonly BeanDescription[]) => {
    for (const [index, bean] of beans.entries()) places.set(bean, index - (beans.length - 1) / 2);
  };
  for (const beans of members) spread(beans);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (const beans of sweep % 2 === 0 ? members.toReversed() : members) {
      const middleOf = (bean: BeanDescription) =>
        meanOf((neighbours.get(bean) ?? []).map((each) => places.get(each) ?? 0));
      const middles = new Map(beans.map((bean) => [bean, middleOf(bean)]));
      beans.sort((a, b) => (middles.get(a) ?? 0) - (middles.get(b) ?? 0));
      spread(beans);
    }
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
  return wires.sort((a, b) => Number(a.isInCycle) - Number(b.isInCycle));
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
