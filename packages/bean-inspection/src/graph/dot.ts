import { type BeanState, stateOf } from '../browser/bean-state.ts';
import type { BeanDescription } from '../sources/bean-source.ts';
import { type BeanGraph, countByOwner } from './bean-graph.ts';
import { visibleName } from './visible-name.ts';

const looks: Readonly<Record<BeanState, string>> = {
  created: '',
  per: '',
  'not-created': ', style="rounded,dashed"',
  replaced: ', color="#6a35b0", fontcolor="#6a35b0"',
};

/** In quotes, as labels are read: a backslash begins an escape there, and an ampersand an entity of HTML. */
const quote = (text: string) =>
  `"${visibleName(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('&', '&amp;')}"`;

/** The graph in the language of Graphviz: https://graphviz.org/doc/info/lang.html */
export function toDot({ beans, dependencies }: BeanGraph): string {
  const ids = new Map<BeanDescription, string>(beans.map((bean, index) => [bean, `n${index}`]));
  const owners = [...countByOwner(beans).keys()];
  const lines = owners.flatMap((owner, index) => [
    `  subgraph cluster_${index} {`,
    `    label=${quote(owner)};`,
    ...beans
      .filter((bean) => bean.owner === owner)
      .map((bean) => `    ${ids.get(bean)} [label=${quote(bean.name)}${looks[stateOf(bean)]}];`),
    '  }',
  ]);
  const arrows = dependencies.map(
    ({ from, to, isLoop }) => `  ${ids.get(from)} -> ${ids.get(to)}${isLoop ? ' [color="#c27a10", penwidth=3]' : ''};`,
  );
  const look = [
    'rankdir=LR;',
    'graph [style="rounded", color="#dfe3e8", fontname="sans-serif"];',
    'node [shape=box, style="rounded", fontname="sans-serif"];',
  ];
  return ['digraph beans {', ...look.map((line) => `  ${line}`), ...lines, ...arrows, '}', ''].join('\n');
}
