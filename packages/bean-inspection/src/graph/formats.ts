import { type BeanState, stateOf } from '../browser/bean-state.ts';
import type { BeanDescription } from '../sources/bean-source.ts';
import { type BeanGraph, countByOwner } from './bean-graph.ts';

/** The visible symbol of a control character (Unicode block Control Pictures); U+FFFD for others. */
const controlPicture = (character: string) =>
  character < ' ' ? String.fromCharCode(0x2400 + character.charCodeAt(0)) : '\u{fffd}';

/** A name that any format can hold: without control characters and lone surrogates. */
export const visibleName = (name: string) =>
  Buffer.from(name)
    .toString()
    .replace(/[\p{Cc}\u2028\u2029\ufffe\uffff]/gu, controlPicture) || '(no name)';

/** The beans of each owner, and an id for each bean. */
function numbered({ beans }: BeanGraph) {
  const ids = new Map<BeanDescription, string>(beans.map((bean, index) => [bean, `n${index}`]));
  const owners = [...countByOwner(beans).keys()];
  return { ids, owners: owners.map((owner) => ({ owner, members: beans.filter((bean) => bean.owner === owner) })) };
}

const dotStyles: Readonly<Record<BeanState, string>> = {
  created: '',
  per: '',
  'not-created': ', style="rounded,dashed"',
  replaced: ', color="#6a35b0", fontcolor="#6a35b0"',
};

/** In quotes, as labels are read: a backslash begins an escape there, and an ampersand an entity of HTML. */
const dotText = (text: string) =>
  `"${visibleName(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('&', '&amp;')}"`;

/** The graph in the language of Graphviz: https://graphviz.org/doc/info/lang.html */
export function toDot(graph: BeanGraph): string {
  const { ids, owners } = numbered(graph);
  const lines = owners.flatMap(({ owner, members }, index) => [
    `  subgraph cluster_${index} {`,
    `    label=${dotText(owner)};`,
    ...members.map((bean) => `    ${ids.get(bean)} [label=${dotText(bean.name)}${dotStyles[stateOf(bean)]}];`),
    '  }',
  ]);
  const arrows = graph.dependencies.map(
    ({ from, to, isInCycle }) =>
      `  ${ids.get(from)} -> ${ids.get(to)}${isInCycle ? ' [color="#c27a10", penwidth=3]' : ''};`,
  );
  const defaults = [
    '  rankdir=LR;',
    '  graph [style="rounded", color="#dfe3e8", fontname="sans-serif"];',
    '  node [shape=box, style="rounded", fontname="sans-serif"];',
  ];
  return ['digraph beans {', ...defaults, ...lines, ...arrows, '}', ''].join('\n');
}

const mermaidClasses: Readonly<Record<BeanState, string>> = {
  created: '',
  per: '',
  'not-created': ':::off',
  replaced: ':::fake',
};

/** In quotes. Mermaid knows only entities such as `#34;` as escapes, so every special character becomes one. */
const mermaidText = (text: string) =>
  `"${visibleName(text).replace(/[^\p{L}\p{M}\p{N} ./@:_-]/gu, (character) => `#${character.codePointAt(0)};`)}"`;

/** The graph as a flowchart of Mermaid: https://mermaid.js.org/syntax/flowchart.html */
export function toMermaid(graph: BeanGraph): string {
  const { ids, owners } = numbered(graph);
  const lines = owners.flatMap(({ owner, members }, index) => [
    `  subgraph o${index} [${mermaidText(owner)}]`,
    ...members.map((bean) => `    ${ids.get(bean)}[${mermaidText(bean.name)}]${mermaidClasses[stateOf(bean)]}`),
    '  end',
  ]);
  const arrows = graph.dependencies.map(
    ({ from, to, isInCycle }) => `  ${ids.get(from)} ${isInCycle ? '==>' : '-->'} ${ids.get(to)}`,
  );
  const styles = ['  classDef off stroke-dasharray: 3 3', '  classDef fake stroke:#6a35b0,color:#6a35b0'];
  return ['flowchart LR', ...lines, ...arrows, ...styles, ''].join('\n');
}
