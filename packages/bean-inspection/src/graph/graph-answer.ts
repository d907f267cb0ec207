import { listBeans } from '../beans/bean-list.ts';
import { siteOf } from '../browser/browser-answers.ts';
import { pageAnswer } from '../browser/page.ts';
import type { Call } from '../handle.ts';
import { type Answer, bytes } from '../http/answer.ts';
import type { graphParameters, ParameterValues } from '../http/parameters.ts';
import { type BeanGraph, beanGraph, countByOwner, filterByOwner } from './bean-graph.ts';
import { toDot, toMermaid } from './formats.ts';
import { graphPage } from './graph-page.ts';
import { type GraphLayout, largestGraph, layOut } from './layout.ts';

type GraphQuery = ParameterValues<typeof graphParameters>;

/** What needs what, as a page. */
export function graphAnswer(call: Call, query: GraphQuery): Answer {
  const { graph, owners, shown } = graphOf(call, query);
  return pageAnswer(graphPage(siteOf(call), { graph, owners, shown, layout: layOutUnlessLarge(graph) }));
}

/** The same to take away. */
export const dotAnswer = (call: Call, query: GraphQuery) =>
  bytes(toDot(graphOf(call, query).graph), 'text/vnd.graphviz; charset=utf-8');

export const mermaidAnswer = (call: Call, query: GraphQuery) =>
  bytes(toMermaid(graphOf(call, query).graph), 'text/vnd.mermaid; charset=utf-8');

function graphOf({ mount, request }: Call, { owner }: GraphQuery) {
  const beans = listBeans(mount.beans.describe(), request.prefix);
  const owners = countByOwner(beans);
  const shown = owner.filter((each) => owners.has(each));
  const whole = beanGraph(beans);
  return { owners, shown, graph: shown.length === 0 ? whole : filterByOwner(whole, new Set(shown)) };
}

function layOutUnlessLarge(graph: BeanGraph): GraphLayout | undefined {
  const { beans, dependencies } = largestGraph;
  const isLarge = graph.beans.length > beans || graph.dependencies.length > dependencies;
  return isLarge ? undefined : layOut(graph);
}
