import type { Outline } from '@jig/inspect';
import { encodeName, type ListedBean } from '../beans/bean-list.ts';
import { describeAbsence } from '../beans/beans.ts';
import { type BeanWatch, watchForms } from '../watch/plot.ts';
import { stateMark, stateOf } from './bean-state.ts';
import { glanceCard } from './glance-card.ts';
import { type Html, html } from './html.ts';
import { beanLink, type TreeView, viewAt, viewLink, writeQuery } from './links.ts';
import { icon, page, type Site, timeOf } from './page.ts';
import { limitName, treeRow, treeRows, typeOf, visible } from './tree.ts';

/** One read of a bean: its outline, when, and how long it took. */
export interface BeanRead {
  readonly outline: Outline;
  readonly moment: Date;
  readonly milliseconds: number;
}

/** What is known of a bean without reading its value. */
export interface DescribedBean {
  readonly bean: ListedBean;
  /** All beans by name, for the states of those that it needs. */
  readonly beans: ReadonlyMap<string, ListedBean>;
}

export interface BeanPageContent extends DescribedBean {
  /** Its recorded values. */
  readonly watch?: BeanWatch | undefined;
  readonly view: TreeView;
  readonly read: BeanRead;
  /** Whether this request created the bean. */
  readonly wasCreated: boolean;
  /** Whether the page reloads itself without JavaScript. */
  readonly isLive: boolean;
  /** Whether the bean was created for this page, and is not kept. */
  readonly isTemporary?: boolean;
}

/** The page of a bean: a tree of its content, and its dependencies. */
export function beanPage(site: Site, content: BeanPageContent): string {
  const { prefix } = site;
  const { bean, view, read, watch, isTemporary = false } = content;
  const { glance } = read.outline;
  const isKeptRoot = view.at === '' && !isTemporary;
  const readFacts = html`<div><dt>Looked at</dt><dd class="num"><span id="time">${timeOf(read.moment)}</span> <span class="soft" id="took">in ${Math.max(1, Math.round(read.milliseconds))} ms</span></dd></div>`;
  const actions = isTemporary ? createForm(prefix, bean, 'Create another') : controls(prefix, content);
  const main = html`${head(prefix, bean, readFacts, actions)}
${notes(content)}${watch !== undefined && watchForms(prefix, bean.name, viewLink(prefix, view))}
<div class="look"><div>
${glance !== undefined && (isKeptRoot ? glanceCard(prefix, glance, bean.name, watch) : glanceCard(prefix, glance))}<section class="card" aria-label="Content">
<header>${pointerTrail(prefix, view)}
<p class="soft push num" id="said"></p><p class="hush" role="status" id="spoken"></p>
${levelLinks(prefix, view)}</header>
${read.outline.text === undefined ? tree(prefix, content) : wholeValue(read.outline)}
</section></div>
<aside class="side" aria-label="Dependencies">${dependencyLists(prefix, content)}</aside></div>`;
  return page(site, { title: bean.name, section: 'bean', main });
}

/** The page of a bean that does not exist yet, with a button that creates it. */
export function absentPage(site: Site, content: DescribedBean): string {
  const { prefix } = site;
  const { bean } = content;
  const { why, creating } = describeAbsence(bean);
  const main = html`${head(prefix, bean)}
<div class="look">
<section class="card" aria-label="Content"><div class="empty"><h2>${why}</h2><p>Looking creates nothing. ${creating}</p><div class="row">${createForm(prefix, bean, 'Create it')}</div></div></section>
<aside class="side" aria-label="Dependencies">${dependencyLists(prefix, content)}</aside></div>`;
  return page(site, { title: bean.name, section: 'bean', main });
}

const createForm = (prefix: string, { name }: ListedBean, title: string) =>
  html`<form method="post" action="${prefix}/bean/${encodeName(name)}"><button class="button">${title}</button></form>`;

/** The breadcrumbs, the facts of the bean, and its actions. */
const head = (prefix: string, bean: ListedBean, facts?: Html, actions?: Html) =>
  html`<nav aria-label="Where you are"><ol class="trail"><li><a href="${prefix}/bean">Beans</a></li><li><a href="${prefix}/bean${writeQuery({ q: bean.owner })}"><bdi dir="ltr">${bean.owner}</bdi></a></li><li aria-current="page"><bdi>${bean.name}</bdi></li></ol></nav>
<header class="head"><div><div class="title"><h1><bdi>${bean.name}</bdi></h1>${stateMark(bean)}</div>
<dl class="facts"><div><dt>Type</dt><dd><code>${bean.type}</code></dd></div><div><dt>Scope</dt><dd>${bean.scope}</dd></div><div><dt>Owner</dt><dd><bdi dir="ltr">${bean.owner}</bdi></dd></div>${bean.found !== undefined && html`<div><dt>Found</dt><dd>${bean.found}</dd></div>`}${facts}</dl></div>
<div class="row">${actions}</div></header>`;

function controls(prefix: string, { view, isLive }: BeanPageContent): Html {
  const address = viewLink(prefix, view);
  const live = `${address}${address.includes('?') ? '&' : '?'}live=1`;
  const document = (form: 'json' | 'xml') =>
    `${beanLink(prefix, view.name, form, { at: view.at })}${view.at === '' ? '?' : '&'}pretty`;
  return html`<a class="button" id="again" href="${isLive ? live : address}">${icon('again')}Look again</a><a class="switch${isLive && ' on'}" id="live" href="${isLive ? address : live}"><i aria-hidden="true"></i>Live${isLive && html`<span class="hush">, on</span>`}</a><span class="pick" role="group" aria-label="Open as"><a href="${document('json')}">JSON</a><a href="${document('xml')}">XML</a></span>`;
}

function notes({ bean, wasCreated, isTemporary = false }: BeanPageContent): Html | false {
  const { scope } = bean;
  const text = isTemporary
    ? 'It was created for this page and is not kept, so links into it lead to where you can create another.'
    : stateOf(bean) === 'per'
      ? `There is one for each ${scope === 'transient' ? 'use' : scope}. This one was created for this look.`
      : wasCreated && 'It was not created yet. This look created it.';
  return text !== false && html`<div class="note"><p>${text}</p></div>`;
}

/** The most rows that a page opens. */
export const maxRows = 1000;

function pointerTrail(prefix: string, { name, at }: TreeView): Html {
  const segments = at.split('/');
  const last = segments.length - 1;
  return html`<nav class="pointer" aria-label="Pointer"><ol>${segments.map((segment, index) => {
    const key = visible(index === 0 ? name : segment.replaceAll('~1', '/').replaceAll('~0', '~'));
    const pointer = segments.slice(0, index + 1).join('/');
    return html`<li>${index === last ? html`<span aria-current="location">${key}</span>` : html`<a href="${viewLink(prefix, viewAt(name, pointer))}">${key}</a>`}</li>`;
  })}</ol>${
    at !== '' &&
    html`<button class="ghost" type="button" data-copy="${encodeName(at)}" aria-label="Copy the pointer ${visible(at)}" hidden>${icon('copy')}</button>`
  }</nav>`;
}

const levelChoices = [
  ['auto', 'Auto'],
  [1, '1'],
  [2, '2'],
  [3, '3'],
  ['all', 'All'],
] as const;

const levelLinks = (prefix: string, view: TreeView) =>
  html`<span class="field"><span id="levels">Levels</span><span class="pick small" role="group" aria-labelledby="levels">${levelChoices.map(
    ([levels, title]) =>
      html`<a href="${viewLink(prefix, { ...view, levels, open: [], close: [] })}"${levels === view.levels && html` aria-current="true"`}>${title}</a>`,
  )}</span></span>`;

function tree(prefix: string, { view, watch, read: { outline } }: BeanPageContent): Html {
  const rows = treeRows(outline, view);
  const { size = outline.entries.length } = outline;
  if (size === 0 && rows.length === 0)
    return html`<div class="empty"><h2>Nothing in it${outline.hasPrivateFields && ' that can be seen'}</h2><p>${typeOf(outline)}</p>${outline.hasPrivateFields && html`<p>${privateFields}</p>`}</div>`;
  return html`<table class="tree" role="treegrid" aria-label="Content of ${view.name}${view.at !== '' && ` at ${visible(view.at)}`}" id="tree">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col" class="c-key">Key</th><th role="columnheader" scope="col">Value</th><th role="columnheader" scope="col" class="c-type">Type and size</th><th role="columnheader" scope="col" class="c-do"><span class="hush">Actions</span></th></tr></thead>
<tbody role="rowgroup">
${rows.map((row) => treeRow(row, { prefix, view, watch }))}</tbody></table>${rows.length >= maxRows && html`<p class="foot">A page opens about ${maxRows.toLocaleString('en')} rows. Open more containers one by one.</p>`}${outline.hasPrivateFields && html`<p class="foot">${privateFields}</p>`}`;
}

const privateFields = html`Its class has private fields (<code>#name</code>), which only its own code can read.`;

/** A value that is not a container, in full. */
function wholeValue(outline: Outline): Html {
  const { kind, text = '', hasMore, target } = outline;
  const isMarker = ['masked', 'closed', 'threw', 'reference', 'limit'].includes(kind);
  const marker = kind === 'limit' ? limitName(text) : isMarker ? kind : undefined;
  return html`<p class="foot num">${typeOf(outline)}</p><pre class="whole" dir="auto" tabindex="0" role="region" aria-label="The whole value">${
    marker === undefined ? text : html`<span class="tag">${marker}</span> ${kind === 'threw' ? text : (target ?? '')}`
  }</pre>${hasMore && html`<p class="foot">There is more of it, which the setting for the longest text leaves out.</p>`}`;
}

function dependencyLists(prefix: string, { bean, beans }: DescribedBean): Html {
  const { name, dependencies, dependents } = bean;
  const item = (other: string) => {
    const known = beans.get(other);
    const isCycle = dependencies !== 'unknown' && dependencies.includes(other) && dependents.includes(other);
    const state =
      known === undefined
        ? html`<span class="soft">unknown</span>`
        : stateOf(known) === 'replaced'
          ? html`<span class="state fake">Fake</span>`
          : stateOf(known) !== 'created' && stateMark(known);
    return html`<li>${known === undefined ? html`<bdi>${other}</bdi>` : html`<a href="${beanLink(prefix, other, 'html')}"><bdi>${other}</bdi></a>`}${isCycle ? html`<span class="tag warn">cycle</span>` : state}</li>`;
  };
  const list = (names: readonly string[], none: string) =>
    html`<ul>${names.length === 0 ? html`<li class="soft">${none}</li>` : names.map(item)}</ul>`;
  const needs = dependencies === 'unknown' ? [] : dependencies;
  return html`<section class="card" aria-label="Needs of ${name}"><h2 id="needs">Needs <span class="num">${dependencies !== 'unknown' && needs.length}</span></h2>${list(needs, dependencies === 'unknown' ? 'Not known' : 'Nothing')}<h2 id="needed-by">Needed by <span class="num">${dependents.length}</span></h2>${list(dependents, 'Nothing that is known')}</section>`;
}
