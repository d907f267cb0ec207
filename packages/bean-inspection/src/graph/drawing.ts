import { pluralize } from '../browser/amounts.ts';
import { type BeanState, stateOf, stateWords } from '../browser/bean-state.ts';
import { type Html, html } from '../browser/html.ts';
import { beanLink } from '../browser/links.ts';
import type { BeanGraph } from './bean-graph.ts';
import { visibleName } from './formats.ts';
import { type GraphLayout, node, type PlacedBean } from './layout.ts';

/** The classes of a box, for the style sheet. */
const stateClasses: Readonly<Record<BeanState, string>> = {
  created: '',
  per: '',
  'not-created': ' off',
  replaced: ' faked',
};

const arrowTip = (id: string, className: string, size: number) =>
  html`<marker id="${id}" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="${size}" markerHeight="${size}" orient="auto" markerUnits="userSpaceOnUse"><path class="${className}" d="M0 .5 8 4 0 7.5z"/></marker>`;

/** Longer names are cut; the box hides what is still too wide. */
const longestName = 22;

/** How many beans and dependencies there are, in words. */
export const graphInWords = ({ beans, dependencies }: BeanGraph) =>
  `${pluralize(beans.length, 'bean')}, ${pluralize(dependencies.length, 'dependency', 'dependencies')}`;

/** The graph as an element `svg`, for a page that has the style sheet of the bean browser. */
export function drawGraph(prefix: string, graph: BeanGraph, { width, height, lanes, wires, nodes }: GraphLayout): Html {
  const inCycle = new Set(graph.cycles.flatMap(({ names }) => names));
  return html`<svg class="graph" id="graph" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="group" aria-label="${graphInWords(graph)}"><defs>${arrowTip('tip', 'tip', 8)}${arrowTip('tiploop', 'tip loop', 10)}</defs>
${lanes.map(
  (lane) =>
    html`<g><rect class="lane" x="6" y="${lane.y}" width="${width - 12}" height="${lane.height}" rx="8"/><text class="lane-name" x="20" y="${lane.y + 20}">${visibleName(lane.owner)}</text></g>
`,
)}${wires.map(
  ({ path, isInCycle }) =>
    html`<path class="wire${isInCycle && ' loop'}" d="${path}" marker-end="url(#tip${isInCycle && 'loop'})"/>
`,
)}${nodes.map((placed) => box(prefix, graph, placed, inCycle.has(placed.bean.name)))}</svg>`;
}

function box(prefix: string, { dependencies }: BeanGraph, { bean, x, y }: PlacedBean, isInCycle: boolean): Html {
  const { width, height } = node;
  const name = visibleName(bean.name);
  const shown = name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;
  const state = stateOf(bean);
  const needs = dependencies.filter(({ from }) => from === bean).length;
  const neededBy = dependencies.filter(({ to }) => to === bean).length;
  const known = bean.dependencies === 'unknown' ? 'needs are not known' : `needs ${needs}`;
  const label = `${name}, ${stateWords(bean, state).toLowerCase()}, ${known}, needed by ${neededBy}${isInCycle ? ', part of a cycle' : ''}`;
  return html`<a href="${beanLink(prefix, bean.name, 'html')}" class="node${stateClasses[state]}${isInCycle && ' loop'}" aria-label="${label}"><title>${name}</title><rect class="ring" x="${x - 4}" y="${y - 4}" width="${width + 8}" height="${height + 8}" rx="9"/><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/><svg x="${x}" y="${y}" width="${width - 4}" height="${height}"><text x="12" y="19.5">${shown}</text></svg></a>
`;
}
