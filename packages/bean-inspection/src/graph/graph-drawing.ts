import { stateOf, stateWords } from '../browser/bean-state.ts';
import type { BeanDescription } from '../sources/bean-source.ts';
import type { BeanGraph } from './bean-graph.ts';
import { arrowTips, boxClasses, drawnText, fittingName, wirePath } from './drawing.ts';
import { type GraphLayout, node, type PlacedBean } from './layout.ts';

interface DrawingOptions {
  /** The address of a bean; without it, boxes are no links. */
  readonly hrefOf?: (bean: BeanDescription) => string;
}

const plural = (count: number, word: string) => `${count} ${count === 1 ? word : word.replace(/y$/, 'ie').concat('s')}`;

/** How many beans and dependencies there are, in words. */
export const graphInWords = ({ beans, dependencies }: BeanGraph) =>
  `${plural(beans.length, 'bean')}, ${plural(dependencies.length, 'dependency')}`;

/** The graph as an element `svg`, for a page that has the style sheet of the bean browser. */
export function drawGraph(graph: BeanGraph, layout: GraphLayout, { hrefOf }: DrawingOptions = {}): string {
  const { width, height } = layout;
  const label = `${graphInWords(graph)}`;
  return `<svg class="graph" id="graph" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="group" aria-label="${drawnText(label)}">${contents(graph, layout, hrefOf)}</svg>`;
}

/** The same as a file, which has its own style, in light and dark. */
export function drawGraphFile(graph: BeanGraph, layout: GraphLayout): string {
  const { width, height } = layout;
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" class="graph" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${drawnText(graphInWords(graph))}</title>
<style>${graphFileStyle}</style>
<rect class="paper" width="${width}" height="${height}"/>
${contents(graph, layout)}
</svg>
`;
}

function contents(graph: BeanGraph, layout: GraphLayout, hrefOf?: DrawingOptions['hrefOf']): string {
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
  const wires = layout.wires.map(({ path, isLoop, from, to }) =>
    wirePath(path, isLoop, 'g', ` data-a="${numbers.get(from)}" data-b="${numbers.get(to)}"`),
  );
  const nodes = layout.nodes.map((placed, index) => {
    const { bean } = placed;
    const isLoop = loops.has(bean.name);
    const { needs = 0, neededBy = 0 } = counts.get(bean) ?? {};
    const known = bean.dependencies === 'unknown' ? 'needs are not known' : `needs ${needs}`;
    const label = `${bean.name}, ${stateWords(bean, stateOf(bean)).toLowerCase()}, ${known}, needed by ${neededBy}${isLoop ? ', part of a cycle' : ''}`;
    const attributes = `class="${boxClasses(bean, { isLoop })}" data-bean="${index}"`;
    if (hrefOf === undefined) return `<g ${attributes}>${box(placed)}</g>`;
    return `<a href="${drawnText(hrefOf(bean))}" ${attributes} aria-label="${drawnText(label)}">${box(placed)}</a>`;
  });
  return [arrowTips('g'), ...lanes, ...wires, ...nodes].join('\n');
}

function box({ bean: { name }, x, y }: PlacedBean): string {
  const { width, height } = node;
  const shown = fittingName(name, width - 22);
  return `<title>${drawnText(name)}</title><rect class="ring" x="${x - 4}" y="${y - 4}" width="${width + 8}" height="${height + 8}" rx="9"/><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/><text x="${x + 12}" y="${y + 19.5}">${drawnText(shown)}</text>`;
}

/** As the style sheet of the bean browser has it, for the file alone. */
export const graphFileStyle = `
:root { color-scheme: light dark; --ink: #1d2330; --soft: #566071; --ground: #f6f7f9; --card: #fff; --edge: #7d8796; --wire: #7d8796; --fake: #6a35b0; --warn-line: #c27a10; --warn-ground: #fff5dd; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9ecf1; --soft: #a3acba; --ground: #14171c; --card: #1d2127; --edge: #7b8594; --wire: #6f7a8a; --fake: #c9b0ff; --warn-line: #d39a35; --warn-ground: #33280f; } }
text { font: 500 13px system-ui, sans-serif; fill: var(--ink); direction: ltr; }
.paper { fill: var(--card); }
.lane { fill: var(--ground); }
.lane-name { font-size: 12px; font-weight: 600; fill: var(--soft); }
.node rect { fill: var(--card); stroke: var(--edge); }
.node .ring { fill: none; stroke: none; }
.off rect { stroke-dasharray: 3 3; }
.faked rect { stroke: var(--fake); }
.faked text { fill: var(--fake); }
.loop rect { fill: var(--warn-ground); stroke: var(--warn-line); stroke-width: 2; }
.loop .ring { fill: none; stroke: none; }
.wire { fill: none; stroke: var(--wire); stroke-width: 1.25; }
.wire.loop { stroke: var(--warn-line); stroke-width: 2.25; }
.tip { fill: var(--wire); }
.tip.loop { fill: var(--warn-line); }
`;
