import type { BeanDescription } from '../sources/bean-source.ts';
import { type BeanGraph, countByOwner, type Dependency } from './bean-graph.ts';
import { type Columns, findColumns } from './columns.ts';

export const node = { width: 176, height: 30 } as const;
const rowStep = 46;
const columnStep = node.width + 74;
/** So that five columns fit a page of 1,280 pixels, with the borders of the card. */
const margin = { left: 19, top: 8 } as const;
const lane = { head: 34, foot: 10, gap: 10 } as const;
const columnX = (column: number) => margin.left + column * columnStep;
/** Between two wires at one side of a node, and between two that pass a column. */
const wireGap = 5;

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
  return { width, height, lanes, nodes, wires: new Wiring(nodes, { columns, height }).route(graph.dependencies) };
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

/** A wire between two nodes, drawn from left to right; `isBack` when its arrow points to the left. */
interface Span {
  readonly dependency: Dependency;
  readonly left: PlacedBean;
  readonly right: PlacedBean;
  readonly isBack: boolean;
}

const columnOf = ({ x }: PlacedBean) => Math.round((x - margin.left) / columnStep);
const middle = ({ y }: PlacedBean) => y + node.height / 2;

/** Leads wires past the nodes that are between their ends. */
class Wiring {
  readonly #placed: ReadonlyMap<BeanDescription, PlacedBean>;
  /** Which heights of each column are taken, by nodes or by wires. */
  readonly #taken: readonly Uint8Array[];

  constructor(
    nodes: readonly PlacedBean[],
    { columns, height }: { readonly columns: number; readonly height: number },
  ) {
    this.#placed = new Map(nodes.map((each) => [each.bean, each]));
    this.#taken = Array.from({ length: columns }, () => new Uint8Array(Math.ceil(height) + 1));
    for (const each of nodes) this.#taken[columnOf(each)]?.fill(1, each.y - 5, each.y + node.height + 5);
  }

  route(dependencies: readonly Dependency[]): readonly Wire[] {
    const spans = dependencies.flatMap((dependency) => this.#span(dependency) ?? []);
    const starts = portsOf(spans, 'left', 'right');
    const ends = portsOf(spans, 'right', 'left');
    const wires = spans.map((span) => ({
      ...span.dependency,
      path: this.#path(span, starts.get(span) ?? 0, ends.get(span) ?? 0),
    }));
    const loops = dependencies
      .filter(({ from, to }) => from === to)
      .map((dependency) => ({ ...dependency, path: this.#loop(dependency.from) }));
    // What is part of a cycle is drawn last, and so on top.
    return [...wires, ...loops].sort((a, b) => Number(a.isLoop) - Number(b.isLoop));
  }

  #span(dependency: Dependency): Span | undefined {
    const from = this.#placed.get(dependency.from);
    const to = this.#placed.get(dependency.to);
    if (from === undefined || to === undefined || from === to) return undefined;
    const isBack = to.x < from.x;
    return isBack ? { dependency, left: to, right: from, isBack } : { dependency, left: from, right: to, isBack };
  }

  #path({ left, right, isBack }: Span, startY: number, endY: number): string {
    const first = columnOf(left);
    const last = columnOf(right);
    const points: [number, number][] = [[columnX(first) + node.width, startY]];
    for (let column = first + 1; column < last; column++) {
      const share = (column - first) / (last - first);
      const y = this.#freeHeight(column, startY + (endY - startY) * share);
      points.push([columnX(column), y], [columnX(column) + node.width, y]);
    }
    points.push([columnX(last), endY]);
    return draw(isBack ? points.reverse() : points);
  }

  /** The free height of a column that is nearest to the wanted one; taken from now on. */
  #freeHeight(column: number, wanted: number): number {
    const taken = this.#taken[column];
    if (taken === undefined) return wanted;
    const start = Math.round(wanted);
    for (let distance = 0; distance < taken.length; distance++) {
      for (const y of [start - distance, start + distance]) {
        if (y < 2 || y >= taken.length - 2 || taken[y] === 1) continue;
        taken.fill(1, Math.max(0, y - wireGap + 2), y + wireGap - 1);
        return y;
      }
    }
    return start;
  }

  /** From a bean to itself, over its corner. */
  #loop(bean: BeanDescription): string {
    const { x = 0, y = 0 } = this.#placed.get(bean) ?? {};
    const right = x + node.width;
    return `M${right} ${y + 10}C${right + 26} ${y + 4} ${right + 4} ${y - 20} ${right - 16} ${y - 1}`;
  }
}

/** The height at which each wire leaves or reaches the side of a node, in the order of the other ends, so that they do not cross there. */
function portsOf(spans: readonly Span[], side: 'left' | 'right', other: 'left' | 'right'): ReadonlyMap<Span, number> {
  const byNode = new Map<PlacedBean, Span[]>();
  for (const span of spans) {
    const own = byNode.get(span[side]);
    if (own === undefined) byNode.set(span[side], [span]);
    else own.push(span);
  }
  const ports = new Map<Span, number>();
  for (const [at, own] of byNode) {
    own.sort((a, b) => a[other].y - b[other].y || Number(a.isBack) - Number(b.isBack));
    const gap = Math.min(wireGap, (node.height - 8) / own.length);
    for (const [index, span] of own.entries()) ports.set(span, middle(at) + (index - (own.length - 1) / 2) * gap);
  }
  return ports;
}

const write = (value: number) => String(Math.round(value * 10) / 10);

/** The points come in pairs: a curve leads from the second of each to the first of the next, a line through a column. */
function draw(points: readonly (readonly [number, number])[]): string {
  let path = '';
  for (let index = 0; index + 1 < points.length; index += 2) {
    const [x1, y1] = points[index] ?? [0, 0];
    const [x2, y2] = points[index + 1] ?? [0, 0];
    const isLast = index + 2 >= points.length;
    // The last part is straight, so that the arrow points along it.
    const end = isLast ? x2 - Math.sign(x2 - x1) * 8 : x2;
    const turn = write((x1 + end) / 2);
    path += index === 0 ? `M${write(x1)} ${write(y1)}` : `H${write(x1)}`;
    path += `C${turn} ${write(y1)} ${turn} ${write(y2)} ${write(end)} ${write(y2)}`;
    if (isLast) path += `H${write(x2 - Math.sign(x2 - x1))}`;
  }
  return path;
}
