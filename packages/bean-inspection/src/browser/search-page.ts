import type { FoundBean } from '../beans/bean-search.ts';
import { pluralize } from './amounts.ts';
import { type Html, html } from './html.ts';
import { beanLink, fitsAddress, viewAt, viewLink } from './links.ts';
import { page, type Site, searchField } from './page.ts';
import { visible } from './tree.ts';

type Hit = FoundBean['hits'][number];

export interface SearchContent {
  readonly text: string;
  readonly beans: readonly FoundBean[];
  readonly isComplete: boolean;
  /** The names of beans that were not searched, or not to their end. */
  readonly unsearched: readonly string[];
  readonly milliseconds: number;
}

/** The hits of a search in all beans. */
export function searchPage(site: Site, content: SearchContent): string {
  const { prefix } = site;
  const { text, beans } = content;
  const main = html`<header class="head"><div><h1>Search</h1></div></header>
<form class="tools" role="search" action="${prefix}/bean">${searchField('find', text, true)}<button class="button big">Search</button></form>
<p class="tools soft num" role="status">${summary(beans)}</p>
${stoppedNote(prefix, content)}
<section class="card" aria-label="Hits">${
    beans.length === 0
      ? emptyState(text)
      : html`<table role="table" class="grouped hits"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col" class="c-in">Found in</th><th role="columnheader" scope="col" class="c-path">Path</th><th role="columnheader" scope="col">Content</th></tr></thead>
${beans.map((bean) => group(prefix, bean))}</table>`
  }</section>`;
  return page(site, { title: `Search: ${text}`, section: 'bean', hasSearch: true, main });
}

const summary = (beans: readonly FoundBean[]) =>
  `${pluralize(
    beans.reduce((sum, { hits }) => sum + hits.length, 0),
    'hit',
  )} in ${pluralize(beans.length, 'bean')}. Masked values are never searched, and beans that are not created yet only by name.`;

function stoppedNote(prefix: string, { isComplete, unsearched, milliseconds }: SearchContent): Html {
  if (isComplete) return html``;
  const first = unsearched.slice(0, 8);
  const more = unsearched.length - first.length;
  return html`<div class="note warn"><p><b>Stopped early, after ${Math.round(milliseconds).toLocaleString('en')} ms.</b> There may be more hits${
    first.length > 0 &&
    html` in ${first.map((name, index) => html`${index > 0 && ', '}<a href="${beanLink(prefix, name, 'html')}"><bdi>${name}</bdi></a>`)}${more > 0 && ` and ${pluralize(more, 'other bean')}`}`
  }: the search ends when its time or its number of hits is used up, and goes as deep as documents do.</p></div>`;
}

const emptyState = (text: string) =>
  html`<div class="empty"><h2>“<bdi>${visible(text)}</bdi>” is in no name, key, type or value</h2><p>Capital and small letters count as the same.</p></div>`;

function group(prefix: string, { name, type, hits }: FoundBean): Html {
  return html`<tbody role="rowgroup"><tr role="row" class="group"><th role="rowheader" scope="rowgroup" colspan="3"><div><b><a href="${beanLink(prefix, name, 'html')}"><bdi>${name}</bdi></a></b><span class="kind">${type}</span><span class="num push">${pluralize(hits.length, 'hit')}</span></div></th></tr>
${hits.map((hit) => row(prefix, name, hit))}</tbody>
`;
}

function row(prefix: string, name: string, hit: Hit): Html {
  return html`<tr role="row"><td role="cell" class="in"><span class="tag">${hit.in}</span></td><td role="cell">${hitLink(prefix, name, hit.pointer)}</td><td role="cell" class="val"><span class="${hit.in === 'value' ? 's' : 'p'}" dir="auto">${highlighted(hit)}</span></td></tr>
`;
}

function hitLink(prefix: string, name: string, pointer: string): Html {
  if (pointer === '') return html`<a href="${beanLink(prefix, name, 'html')}">the whole bean</a>`;
  const label = visible(pointer);
  return fitsAddress(pointer)
    ? html`<a class="path" href="${viewLink(prefix, viewAt(name, pointer))}">${label}</a>`
    : html`<span class="path">${label.slice(0, 200)}…</span>`;
}

const highlighted = ({ text, start, end }: Hit) =>
  html`${visible(text.slice(0, start))}<mark>${visible(text.slice(start, end))}</mark>${visible(text.slice(end))}`;
