import { createHash } from 'node:crypto';
import type { Answer, ResourceCall } from '../beans/resource.ts';
import { siteOf } from '../browser/browser-answers.ts';
import { pagePolicy } from '../browser/page.ts';
import { BeanProblem } from '../http/problem.ts';
import { graphParameters, parseQuery } from '../http/query-parameters.ts';
import { type BeanGraph, beanGraph, countByOwner, filterByOwner } from './bean-graph.ts';
import { toDot } from './dot.ts';
import { drawGraphFile, graphFileStyle } from './graph-drawing.ts';
import { graphPage } from './graph-page.ts';
import { type GraphLayout, largestGraph, layOut } from './layout.ts';
import { toMermaid } from './mermaid.ts';

/** What needs what, as a page, or as a file to take away. */
export function graphAnswer<Context>(call: ResourceCall<Context>): Answer {
  const beans = call.controller.describe(call.request);
  const owners = countByOwner(beans);
  const { owner } = parseQuery(call.request.url, graphParameters, call.controller.limits, call.form);
  const shown = owner.filter((each) => owners.has(each));
  const whole = beanGraph(beans);
  const graph = shown.length === 0 ? whole : filterByOwner(whole, new Set(shown));
  const { extension } = call.address;
  if (extension === 'dot') return { bytes: toDot(graph), mediaType: 'text/vnd.graphviz; charset=utf-8' };
  if (extension === 'mmd') return { bytes: toMermaid(graph), mediaType: 'text/vnd.mermaid; charset=utf-8' };
  if (extension === 'svg') return svgAnswer(call, graph);
  const page = graphPage(siteOf(call), { graph, owners, shown, layout: layOutUnlessLarge(graph) });
  return { page, policy: pagePolicy };
}

function layOutUnlessLarge(graph: BeanGraph): GraphLayout | undefined {
  const { beans, dependencies } = largestGraph;
  const isLarge = graph.beans.length > beans || graph.dependencies.length > dependencies;
  return isLarge ? undefined : layOut(graph);
}

/** The file has its style inside, which the policy knows by its hash. */
const svgPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(graphFileStyle).digest('base64')}'; frame-ancestors 'none'`;

function svgAnswer<Context>({ request, form }: ResourceCall<Context>, graph: BeanGraph): Answer {
  const layout = layOutUnlessLarge(graph);
  if (layout === undefined) {
    const why = 'These are too many beans to draw';
    throw new BeanProblem(400, `${why}; choose some by owner=, or take ${request.prefix}/graph.dot.`, { form });
  }
  const headers = { 'content-security-policy': svgPolicy };
  return { bytes: drawGraphFile(graph, layout), mediaType: 'image/svg+xml', headers };
}
