import { Html } from '../browser/html.ts';
import type { BeanDescription } from '../sources/bean-source.ts';
import { type BeanGraph, beanGraph, type Dependency } from './bean-graph.ts';
import { arrowTips, boxClasses, drawnText, fittingName, wirePath } from './drawing.ts';

/** A bean beside another, and whether they are part of one cycle. */
export interface Neighbour {
  readonly bean: BeanDescription;
  readonly isLoop: boolean;
}

/** What one bean needs and what needs it. */
export interface Neighbours {
  readonly bean: BeanDescription;
  /** The beans that it needs; `unknown` where the container does not tell. */
  readonly needs: readonly Neighbour[] | 'unknown';
  readonly neededBy: readonly Neighbour[];
  /** Names that it needs and that no bean has, or that are closed. */
  readonly missing: readonly string[];
}

/** The neighbours of a bean among all beans that are open; undefined when it is not one of them. */
export function neighboursOf(name: string, beans: readonly BeanDescription[]): Neighbours | undefined {
  const bean = beans.find((each) => each.name === name);
  return bean && neighboursIn(beanGraph(beans), bean);
}

function neighboursIn({ beans, dependencies }: BeanGraph, bean: BeanDescription): Neighbours {
  const names = new Set(beans.map((each) => each.name));
  const to = (end: 'from' | 'to') => (dependency: Dependency) => ({ bean: dependency[end], isLoop: dependency.isLoop });
  const isUnknown = bean.dependencies === 'unknown';
  return {
    bean,
    needs: isUnknown ? 'unknown' : dependencies.filter(({ from }) => from === bean).map(to('to')),
    neededBy: dependencies.filter((dependency) => dependency.to === bean).map(to('from')),
    missing: bean.dependencies === 'unknown' ? [] : bean.dependencies.filter((each) => !names.has(each)),
  };
}

/** The neighbours of a bean, drawn for its page; undefined when there is nothing to draw. */
export function neighboursPicture({ name }: BeanDescription, beans: readonly BeanDescription[]): Html | undefined {
  const neighbours = neighboursOf(name, beans);
  const drawing = neighbours && drawNeighbours(neighbours);
  return drawing === undefined ? undefined : new Html(drawing);
}

const width = 256;
const box = { width: 136, height: 26, step: 34 } as const;
/** More boxes on one side would push the links below them off the screen. */
const mostBoxes = 8;

/** What needs the bean above it, what it needs below: an element `svg`, drawn for a narrow column. Undefined when there is nothing to draw. */
export function drawNeighbours({ bean, needs, neededBy }: Neighbours): string | undefined {
  const below = needs === 'unknown' ? [] : needs;
  if (below.length + neededBy.length === 0) return undefined;
  const above = sideBoxes(neededBy);
  const under = sideBoxes(below);
  const hereY = 2 + above.count * box.step + (above.count > 0 ? 4 : 0);
  const firstBelow = hereY + box.step + 4;
  const height =
    (under.count > 0 ? firstBelow + under.count * box.step : hereY + box.step) - (box.step - box.height) + 2;
  const isLoop = [...neededBy, ...below].some((each) => each.isLoop);
  const parts = [
    arrowTips('s'),
    ...above.wires.map((loop, index) => wireFromAbove(2 + index * box.step, hereY, loop, index)),
    ...under.wires.map((loop, index) => wireBelow(hereY, firstBelow + index * box.step, loop)),
    ...above.boxes.map((draw, index) => draw(1, 2 + index * box.step)),
    drawBox(bean.name, { x: 60, y: hereY }, boxClasses(bean, { isLoop, isHere: true })),
    ...under.boxes.map((draw, index) => draw(118, firstBelow + index * box.step)),
  ];
  return `<svg class="small" viewBox="0 0 ${width} ${height}" role="img" aria-label="${drawnText(inWords(bean, below, neededBy))}">${parts.join('')}</svg>`;
}

type DrawAt = (x: number, y: number) => string;

/** The boxes of one side; the last says how many more there are. */
function sideBoxes(neighbours: readonly Neighbour[]) {
  const shown = neighbours.length > mostBoxes ? neighbours.slice(0, mostBoxes - 1) : neighbours;
  const boxes: DrawAt[] = shown.map(
    ({ bean, isLoop }) =>
      (x, y) =>
        drawBox(bean.name, { x, y }, boxClasses(bean, { isLoop })),
  );
  const more = neighbours.length - shown.length;
  if (more > 0) boxes.push((x, y) => `<text class="more" x="${x + 10}" y="${y + 17.5}">and ${more} more</text>`);
  return { boxes, wires: shown.map(({ isLoop }) => isLoop), count: boxes.length };
}

const drawBox = (name: string, { x, y }: { readonly x: number; readonly y: number }, classes: string) =>
  `<g class="${classes}"><title>${drawnText(name)}</title><rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="5"/><text x="${x + 10}" y="${y + 17.5}">${drawnText(fittingName(name, box.width - 18))}</text></g>`;

/** From the right side of a box down to the bean; each has its own way, the highest the outermost. */
function wireFromAbove(y: number, hereY: number, isLoop: boolean, index: number): string {
  const x = Math.max(146, 184 - index * 6);
  return wirePath(`M137 ${y + 13}H${x - 6}q6 0 6 6V${hereY - 2}`, isLoop, 's');
}

const wireBelow = (hereY: number, y: number, isLoop: boolean) =>
  wirePath(`M${isLoop ? 84 : 90} ${hereY + box.height}V${y + 7}q0 6 6 6H116`, isLoop, 's');

const listed = (neighbours: readonly Neighbour[]) => neighbours.map(({ bean: { name } }) => name).join(', ');

function inWords({ name }: BeanDescription, needs: readonly Neighbour[], neededBy: readonly Neighbour[]): string {
  const loops = [...new Set([...needs, ...neededBy].filter(({ isLoop }) => isLoop).map(({ bean }) => bean.name))];
  return [
    neededBy.length > 0 && `${name} is needed by ${listed(neededBy)}.`,
    needs.length > 0 && `${name} needs ${listed(needs)}.`,
    loops.length > 0 && `Part of a cycle: ${loops.join(', ')}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
