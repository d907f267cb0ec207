import { listBeans } from '../beans/bean-list.ts';
import { siteOf } from '../browser/browser-answers.ts';
import { Html, html } from '../browser/html.ts';
import { beanLink, writeQuery } from '../browser/links.ts';
import { page, pageAnswer, type Site } from '../browser/page.ts';
import type { Call } from '../handle.ts';
import { type Answer, bytes } from '../http/answer.ts';
import type { graphParameters, ParameterValues } from '../http/parameters.ts';
import type { BeanDescription } from '../sources/bean-source.ts';
import { type BeanGraph, beanGraph, type Cycle, countByOwner, filterByOwner } from './bean-graph.ts';
import { drawGraph, graphInWords } from './drawing.ts';
import { toDot, toMermaid } from './formats.ts';
import { type GraphLayout, largestGraph, layOut } from './layout.ts';

export interface GraphContent {
  readonly graph: BeanGraph;
  /** How many beans each owner has, also those that are not shown. */
  readonly owners: ReadonlyMap<string, number>;
  /** The owners that are shown, if not all. */
  readonly shown: readonly string[];
  /** Undefined when there are too many beans to draw. */
  readonly layout: GraphLayout | undefined;
}

/** What needs what, in the whole application or in some of its parts. */
export function graphPage(site: Site, content: GraphContent): string {
  const { graph } = content;
  const isKnown = graph.dependencies.length > 0 || graph.unknown.length === 0;
  const main = isKnown ? knownGraph(site, content) : unknownGraph(site, content);
  return page(site, { title: 'Dependency graph', section: 'graph', main });
}

function knownGraph(site: Site, content: GraphContent): Html {
  const { prefix } = site;
  const { graph, shown, layout } = content;
  const query = writeQuery({ owner: shown });
  return html`<header class="head"><div><h1>Dependency graph</h1><p class="num">${graphInWords(graph)}. An arrow points at the bean that is needed.</p></div>
<div class="row"><span class="soft"><small>Download</small></span><span class="pick" role="group" aria-label="Download"><a href="${prefix}/graph.dot${query}" download="beans.dot">DOT</a><a href="${prefix}/graph.mmd${query}" download="beans.mmd">Mermaid</a></span></div></header>
${cycleNotice(site, graph)}${unknownNotice(site, graph)}
${ownerChoice(site, content)}
${layout === undefined ? missingDrawing(graph) : drawing(site, graph, layout)}`;
}

/** Boxes without arrows would say no more than the list of beans. */
const unknownGraph = (site: Site, content: GraphContent) =>
  html`<header class="head"><div><h1>Dependency graph</h1></div></header>
${content.shown.length > 0 && ownerChoice(site, content)}
<section class="card"><p class="empty">What these beans need is not known, so there is nothing to draw.</p></section>`;

/** More would push the drawing off the first screen. */
const maxOpenOwners = 8;

function ownerChoice({ prefix }: Site, { owners, shown }: GraphContent): Html | false {
  if (owners.size < 2) return false;
  const chips = [...owners].map(
    ([owner, count]) =>
      html`<label class="chip"><input type="checkbox" name="owner" value="${owner}"${(shown.length === 0 || shown.includes(owner)) && html` checked`}> <bdi dir="ltr">${owner}</bdi> <span class="num">${count}</span></label>`,
  );
  const choice = html`<fieldset class="chips"><legend>Owner</legend>${chips}</fieldset><button class="button">Show</button>`;
  const selection = shown.length === 0 ? `all ${owners.size}` : `${shown.length} of ${owners.size}`;
  return html`<form class="tools" action="${prefix}/graph" id="owners">${
    owners.size > maxOpenOwners
      ? html`<details class="choice"><summary>Owners: <span class="num">${selection}</span></summary>${choice}</details>`
      : choice
  }${shown.length > 0 && html`<a href="${prefix}/graph">Show all</a>`}</form>`;
}

const link = ({ prefix }: Site, name: string) =>
  html`<a href="${beanLink(prefix, name, 'html')}"><bdi>${name}</bdi></a>`;

const join = (parts: readonly Html[], separator: string) =>
  parts.map((part, index) => (index === 0 ? part : html`${separator}${part}`));

/** More would fill the screen. */
const maxListed = 12;

function cycleNotice(site: Site, { cycles }: BeanGraph): Html | false {
  if (cycles.length === 0) return false;
  const ways = join(
    cycles.slice(0, maxListed).map((cycle) => wayRound(site, cycle)),
    '; ',
  );
  const more = cycles.length - maxListed;
  return html`<div class="note warn"><p><b>${cycles.length} ${cycles.length === 1 ? 'cycle' : 'cycles'}.</b> ${ways}${more > 0 && `; and ${more} more`}. These beans need each other.</p></div>`;
}

function wayRound(site: Site, { path, names }: Cycle): Html {
  const closed = [...path, path[0] ?? ''];
  const shown = closed.length > maxListed ? [...closed.slice(0, maxListed), undefined, closed.at(-1)] : closed;
  const way = join(
    shown.map((name) => (name === undefined ? html`…` : link(site, name))),
    ' → ',
  );
  const others = names.length - path.length;
  return html`${way}${others > 0 && html`, and ${others} more ${others === 1 ? 'bean' : 'beans'} in the same knot`}`;
}

function unknownNotice(site: Site, { unknown }: BeanGraph): Html | false {
  if (unknown.length === 0) return false;
  const named = join(
    unknown.slice(0, maxListed).map((name) => link(site, name)),
    ', ',
  );
  const more = unknown.length - maxListed;
  return html`<div class="note"><p><b>What ${unknown.length} ${unknown.length === 1 ? 'bean needs' : 'beans need'} is not known:</b> ${named}${more > 0 && ` and ${more} more`}. Only containers know it, some not before a bean is created.</p></div>`;
}

function drawing(site: Site, graph: BeanGraph, layout: GraphLayout): Html {
  const hrefOf = ({ name }: BeanDescription) => beanLink(site.prefix, name, 'html');
  return html`<section class="card" aria-label="Graph"><div class="scroll" tabindex="0" role="region" aria-label="Graph, scrolls sideways">
${new Html(drawGraph(graph, layout, hrefOf))}
</div>
<ul class="legend"><li>${sample('node')}created, or one per request or session</li><li>${sample('node off')}not created yet</li><li>${sample('node faked')}replaced by a fake</li><li><svg viewBox="0 0 32 16" aria-hidden="true"><path class="wire loop" d="M1 8h30"/></svg>part of a cycle</li></ul></section>`;
}

const sample = (classes: string) =>
  html`<svg viewBox="0 0 32 16" class="${classes}" aria-hidden="true"><rect x="1" y="2" width="30" height="12" rx="3"/></svg>`;

function missingDrawing(graph: BeanGraph): Html {
  const { beans, dependencies } = largestGraph;
  const because = `${graphInWords(graph)} are too many to draw: the limit is ${beans} beans and ${dependencies} dependencies.`;
  return html`<div class="note warn"><p>${because} Choose fewer owners, or download the graph for Graphviz or Mermaid.</p></div>`;
}

type GraphQuery = ParameterValues<typeof graphParameters>;

/** What needs what, as a page. */
export function graphAnswer(call: Call, query: GraphQuery): Answer {
  const { graph, owners, shown } = graphOf(call, query);
  return pageAnswer(graphPage(siteOf(call), { graph, owners, shown, layout: layOutUnlessLarge(graph) }));
}

/** The same as a file. */
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
