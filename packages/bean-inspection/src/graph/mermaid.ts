import { type BeanState, stateOf } from '../browser/bean-state.ts';
import type { BeanDescription } from '../sources/bean-source.ts';
import { type BeanGraph, countByOwner } from './bean-graph.ts';
import { visibleName } from './visible-name.ts';

const classes: Readonly<Record<BeanState, string>> = {
  created: '',
  per: '',
  'not-created': ':::off',
  replaced: ':::fake',
};

/** In quotes. Mermaid knows no escapes but entities such as `#34;`, so all that could mean something is one. */
const quote = (text: string) =>
  `"${visibleName(text).replace(/[^\p{L}\p{M}\p{N} ./@:_-]/gu, (character) => `#${character.codePointAt(0)};`)}"`;

/** The graph as a flowchart of Mermaid: https://mermaid.js.org/syntax/flowchart.html */
export function toMermaid({ beans, dependencies }: BeanGraph): string {
  const ids = new Map<BeanDescription, string>(beans.map((bean, index) => [bean, `n${index}`]));
  const owners = [...countByOwner(beans).keys()];
  const lines = owners.flatMap((owner, index) => [
    `  subgraph o${index} [${quote(owner)}]`,
    ...beans
      .filter((bean) => bean.owner === owner)
      .map((bean) => `    ${ids.get(bean)}[${quote(bean.name)}]${classes[stateOf(bean)]}`),
    '  end',
  ]);
  const arrows = dependencies.map(
    ({ from, to, isLoop }) => `  ${ids.get(from)} ${isLoop ? '==>' : '-->'} ${ids.get(to)}`,
  );
  const styles = ['  classDef off stroke-dasharray: 3 3', '  classDef fake stroke:#6a35b0,color:#6a35b0'];
  return ['flowchart LR', ...lines, ...arrows, ...styles, ''].join('\n');
}
