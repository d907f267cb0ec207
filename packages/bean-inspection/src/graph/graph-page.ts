import { listBeans } from '../beans/bean-list.ts';
import { siteOf } from '../browser/browser-answers.ts';
import { type Html, html } from '../browser/html.ts';
import { beanLink, writeQuery } from '../browser/links.ts';
import { page, pageAnswer, type Site } from '../browser/page.ts';
import type { Call } from '../handle.ts';
import { type Answer, wholeAnswer } from '../http/answer.ts';
import type { graphParameters, ParameterValues } from '../http/parameters.ts';
import { type BeanGraph, beanGraph, countByOwner } from './bean-graph.ts';
import { drawGraph, graphInWords } from './drawing.ts';
import { toDot, toMermaid } from './formats.ts';
import { largestGraph, layOut } from './layout.ts';

export interface GraphContent {
  readonly graph: BeanGraph;
  /** How many beans each owner has, also those that are not shown. */
  readonly owners: ReadonlyMap<string, number>;
  /** The owners that are shown, if not all. */
  readonly shown: readonly string[];
}

/** What needs what, in the whole application or in some of its parts. */
export function graphPage(site: Site, content: GraphContent): string {
  const { prefix } = site;
  const { graph, shown } = content;
  // Boxes without arrows would say no more than the list of beans.
  const isKnown = graph.dependencies.length > 0 || graph.unknown.length === 0;
  const query = writeQuery({ owner: shown });
  const main = isKnown
    ? html`<header class="head"><div><h1>Dependency graph</h1><p class="num">${graphInWords(graph)}. An arrow points at the bean that is needed.</p></div>
<div class="row"><span class="soft"><small>Download</small></span><span class="pick" role="group" aria-label="Download"><a href="${prefix}/graph.dot${query}" download="beans.dot">DOT</a><a href="${prefix}/graph.mmd${query}" download="beans.mmd">Mermaid</a></span></div></header>
${cycleNotice(prefix, graph)}${unknownNotice(prefix, graph)}
${ownerChoice(prefix, content)}
${drawing(prefix, graph)}`
    : html`<header class="head"><div><h1>Dependency graph</h1></div></header>
${shown.length > 0 && ownerChoice(prefix, content)}
<section class="card"><p class="empty">What these beans need is not known, so there is nothing to draw.</p></section>`;
  return page(site, { title: 'Dependency graph', section: 'graph', main });
}

/** A longer list of owners is folded, so that the drawing stays on the first screen. */
const maxOpenOwners = 8;

function ownerChoice(prefix: string, { owners, shown }: GraphContent): Html | false {
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

/** More would fill the screen. */
const maxListed = 12;

const links = (prefix: string, names: readonly string[], separator: string) =>
  names
    .slice(0, maxListed)
    .map(
      (name, index) =>
        html`${index > 0 && separator}<a href="${beanLink(prefix, name, 'html')}"><bdi>${name}</bdi></a>`,
    );

function cycleNotice(prefix: string, { cycles }: BeanGraph): Html | false {
  if (cycles.length === 0) return false;
  const ways = cycles.slice(0, maxListed).map(({ path, names }, index) => {
    const left = path.length > maxListed ? ' → …' : '';
    const others = names.length - path.length;
    return html`${index > 0 && '; '}${links(prefix, path, ' → ')}${left} → ${links(prefix, path.slice(0, 1), '')}${others > 0 && `, and ${others} more ${others === 1 ? 'bean' : 'beans'} in the same knot`}`;
  });
  const more = cycles.length - maxListed;
  return html`<div class="note warn"><p><b>${cycles.length} ${cycles.length === 1 ? 'cycle' : 'cycles'}.</b> ${ways}${more > 0 && `; and ${more} more`}. These beans need each other.</p></div>`;
}

function unknownNotice(prefix: string, { unknown }: BeanGraph): Html | false {
  if (unknown.length === 0) return false;
  const more = unknown.length - maxListed;
  return html`<div class="note"><p><b>What ${unknown.length} ${unknown.length === 1 ? 'bean needs' : 'beans need'} is not known:</b> ${links(prefix, unknown, ', ')}${more > 0 && ` and ${more} more`}. Only containers know it, some not before a bean is created.</p></div>`;
}

function drawing(prefix: string, graph: BeanGraph): Html {
  const { beans, dependencies } = largestGraph;
  if (graph.beans.length > beans || graph.dependencies.length > dependencies)
    return html`<div class="note warn"><p>${graphInWords(graph)} are too many to draw: the limit is ${beans} beans and ${dependencies} dependencies. Choose fewer owners, or download the graph for Graphviz or Mermaid.</p></div>`;
  return html`<section class="card" aria-label="Graph"><div class="scroll" tabindex="0" role="region" aria-label="Graph, scrolls sideways">
${drawGraph(prefix, graph, layOut(graph))}
</div>
<ul class="row foot legend"><li class="row">${sample('node')}created, or one per request or session</li><li class="row">${sample('node off')}not created yet</li><li class="row">${sample('node faked')}replaced by a fake</li><li class="row"><svg viewBox="0 0 32 16" aria-hidden="true"><path class="wire loop" d="M1 8h30"/></svg>part of a cycle</li></ul></section>`;
}

const sample = (classes: string) =>
  html`<svg viewBox="0 0 32 16" class="${classes}" aria-hidden="true"><rect x="1" y="2" width="30" height="12" rx="3"/></svg>`;

type GraphQuery = ParameterValues<typeof graphParameters>;

/** What needs what, as a page. */
export const graphAnswer = (call: Call, query: GraphQuery): Answer =>
  pageAnswer(graphPage(siteOf(call), graphOf(call, query)));

/** The same as a file. */
export const dotAnswer = (call: Call, query: GraphQuery) =>
  wholeAnswer(toDot(graphOf(call, query).graph), 'text/vnd.graphviz; charset=utf-8');

export const mermaidAnswer = (call: Call, query: GraphQuery) =>
  wholeAnswer(toMermaid(graphOf(call, query).graph), 'text/vnd.mermaid; charset=utf-8');

function graphOf({ mount, request }: Call, { owner }: GraphQuery): GraphContent {
  const beans = listBeans(mount.beans.describe(), request.prefix);
  const owners = countByOwner(beans);
  const shown: readonly string[] = owner.filter((each) => owners.has(each));
  return { owners, shown, graph: beanGraph(beans.filter((bean) => shown.length === 0 || shown.includes(bean.owner))) };
}
