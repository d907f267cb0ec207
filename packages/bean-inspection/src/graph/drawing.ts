import { escapeHtml } from '@jig/http';
import { type BeanState, stateOf, stateWords } from '../browser/bean-state.ts';
import type { BeanDescription } from '../sources/bean-source.ts';
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

const arrowTips = `<defs>${['', ' loop']
  .map((kind) => {
    const size = kind === '' ? 8 : 10;
    return `<marker id="tip${kind.trim()}" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="${size}" markerHeight="${size}" orient="auto" markerUnits="userSpaceOnUse"><path class="tip${kind}" d="M0 .5 8 4 0 7.5z"/></marker>`;
  })
  .join('')}</defs>`;

/** Text for an element or an attribute of XML, also where characters are not allowed in it. */
const drawnText = (text: string) => escapeHtml(visibleName(text));

const narrow = /[ijlrtf.,:;|!'`()[\]{} /\\-]/;
const broad = /[mwMW@%]/;

/** About how many pixels a character takes at 13 pixels; a picture that is drawn on the server cannot measure. */
function characterWidth(character: string): number {
  if (/\p{M}/u.test(character)) return 0;
  if ((character.codePointAt(0) ?? 0) >= 0x1100) return 14;
  if (narrow.test(character)) return 4.6;
  if (broad.test(character)) return 11.5;
  return /\p{Lu}/u.test(character) ? 9 : 7.6;
}

/** A name, or as much of its beginning as fits into so many pixels. */
export function fittingName(name: string, width: number): string {
  const whole = visibleName(name);
  let left = width;
  let cut = '';
  for (const character of whole) {
    left -= characterWidth(character);
    if (left < 0) return `${cut}…`;
    // Room for the ellipsis is kept until it is known that none is needed.
    if (left >= 11) cut += character;
  }
  return whole;
}

const plural = (count: number, word: string) => `${count} ${count === 1 ? word : word.replace(/y$/, 'ie').concat('s')}`;

/** How many beans and dependencies there are, in words. */
export const graphInWords = ({ beans, dependencies }: BeanGraph) =>
  `${plural(beans.length, 'bean')}, ${plural(dependencies.length, 'dependency')}`;

/** The graph as an element `svg`, for a page that has the style sheet of the bean browser. */
export function drawGraph(graph: BeanGraph, layout: GraphLayout, hrefOf: (bean: BeanDescription) => string): string {
  const { width, height } = layout;
  const label = graphInWords(graph);
  return `<svg class="graph" id="graph" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="group" aria-label="${drawnText(label)}">${contents(graph, layout, hrefOf)}</svg>`;
}

function contents(graph: BeanGraph, layout: GraphLayout, hrefOf: (bean: BeanDescription) => string): string {
  const loops = new Set(graph.cycles.flatMap(({ names }) => names));
  const numbers = new Map(layout.nodes.map(({ bean }, index) => [bean, index]));
  const counts = new Map(graph.beans.map((bean) => [bean, { needs: 0, neededBy: 0 }]));
  for (const { from, to } of graph.dependencies) {
    const [needing, needed] = [counts.get(from), counts.get(to)];
    if (needing !== undefined) needing.needs++;
    if (needed !== undefined) needed.neededBy++;
  }
  const lanes = layout.lanes.map(
    ({ owner, y, height }) =>
      `<g><rect class="lane" x="6" y="${y}" width="${layout.width - 12}" height="${height}" rx="8"/><text class="lane-name" x="20" y="${y + 20}">${drawnText(fittingName(owner, layout.width - 60))}</text></g>`,
  );
  const wires = layout.wires.map(({ path, isLoop, from, to }) => {
    const loop = isLoop ? 'loop' : '';
    return `<path class="wire${isLoop ? ' loop' : ''}" data-a="${numbers.get(from)}" data-b="${numbers.get(to)}" d="${path}" marker-end="url(#tip${loop})"/>`;
  });
  const nodes = layout.nodes.map((placed, index) => {
    const { bean } = placed;
    const isLoop = loops.has(bean.name);
    const { needs = 0, neededBy = 0 } = counts.get(bean) ?? {};
    const known = bean.dependencies === 'unknown' ? 'needs are not known' : `needs ${needs}`;
    const label = `${bean.name}, ${stateWords(bean, stateOf(bean)).toLowerCase()}, ${known}, needed by ${neededBy}${isLoop ? ', part of a cycle' : ''}`;
    const attributes = `class="node${stateClasses[stateOf(bean)]}${isLoop ? ' loop' : ''}" data-bean="${index}"`;
    return `<a href="${drawnText(hrefOf(bean))}" ${attributes} aria-label="${drawnText(label)}">${box(placed)}</a>`;
  });
  return [arrowTips, ...lanes, ...wires, ...nodes].join('\n');
}

function box({ bean: { name }, x, y }: PlacedBean): string {
  const { width, height } = node;
  const shown = fittingName(name, width - 22);
  return `<title>${drawnText(name)}</title><rect class="ring" x="${x - 4}" y="${y - 4}" width="${width + 8}" height="${height + 8}" rx="9"/><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/><text x="${x + 12}" y="${y + 19.5}">${drawnText(shown)}</text>`;
}
