import type { FindHit } from '@jig/inspect';
import { beanLink, writeQuery } from './bean-links.ts';
import { type Html, html } from './html.ts';
import { page, type Site, searchField } from './page.ts';
import { visible } from './tree-rows.ts';
import { fitsAddress, viewFrom, viewLink } from './tree-view.ts';

/** A bean in which the text was found. */
export interface HitBean {
  readonly name: string;
  readonly type: string;
  readonly hits: readonly (Omit<FindHit, 'in'> & { readonly in: FindHit['in'] | 'name' })[];
}

type Hit = HitBean['hits'][number];

export interface SearchContent {
  readonly text: string;
  /** What kind of hits to show; all when undefined. */
  readonly only: Hit['in'] | undefined;
  readonly beans: readonly HitBean[];
  readonly isComplete: boolean;
  /** The names of beans that were not searched, or not to their end. */
  readonly unsearched: readonly string[];
  readonly milliseconds: number;
}

const kinds = { name: 'Names', key: 'Keys', type: 'Types', value: 'Values' } as const;

export const isHitKind = (text: string | null): text is Hit['in'] => text !== null && Object.hasOwn(kinds, text);

/** Where a text is, in all beans. */
export function searchPage(site: Site, content: SearchContent): string {
  const { prefix } = site;
  const { text, only, beans } = content;
  const shown = beans
    .map((bean) => ({ ...bean, hits: bean.hits.filter((hit) => only === undefined || hit.in === only) }))
    .filter(({ hits }) => hits.length > 0);
  const main = html`<header class="head"><div><h1>Search</h1></div></header>
<form class="tools" role="search" action="${prefix}/bean">${searchField({ value: text, isBig: true })}<button class="button big">Search</button></form>
<div class="tools">${kindLinks(prefix, content)}<p class="soft num" role="status">${summary(content)}</p></div>
${stoppedNote(prefix, content)}
<section class="card" aria-label="Hits">${
    shown.length === 0
      ? emptyState(content)
      : html`<table role="table" class="grouped hits"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col" class="c-in">Found in</th><th role="columnheader" scope="col" class="c-path">Path</th><th role="columnheader" scope="col">Content</th></tr></thead>
${shown.map((bean) => group(prefix, bean, text))}</table>`
  }</section>`;
  return page(site, { title: `Search: ${text}`, section: 'bean', hasSearch: true, main });
}

const hitCount = (beans: readonly HitBean[], kind?: Hit['in']) =>
  beans.reduce((sum, { hits }) => sum + hits.filter((hit) => kind === undefined || hit.in === kind).length, 0);

function kindLinks(prefix: string, { text, only, beans }: SearchContent): Html {
  const choices: readonly [Hit['in'] | undefined, string][] = [
    [undefined, 'All'],
    ...(Object.entries(kinds) as [Hit['in'], string][]),
  ];
  return html`<nav class="pick" aria-label="Where it was found">${choices.map(
    ([kind, title]) =>
      html`<a href="${prefix}/bean${writeQuery({ find: text, in: kind })}"${kind === only && html` aria-current="true"`}>${title} <span class="num">${hitCount(beans, kind)}</span></a>`,
  )}</nav>`;
}

const counted = (count: number, noun: string) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

const summary = ({ beans }: SearchContent) =>
  `${counted(hitCount(beans), 'hit')} in ${counted(beans.length, 'bean')}. Masked values are never searched, and beans that are not created yet only by name.`;

function stoppedNote(prefix: string, { isComplete, unsearched, milliseconds }: SearchContent): Html {
  if (isComplete) return html``;
  const first = unsearched.slice(0, 8);
  const more = unsearched.length - first.length;
  return html`<div class="note warn"><p><b>Stopped early, after ${Math.round(milliseconds).toLocaleString('en')} ms.</b> There may be more hits${
    first.length > 0 &&
    html` in ${first.map((name, index) => html`${index > 0 && ', '}<a href="${beanLink(prefix, name, 'html')}"><bdi>${name}</bdi></a>`)}${more > 0 && ` and ${counted(more, 'other bean')}`}`
  }: the search ends when its time or its number of hits is used up, and goes as deep as documents do.</p></div>`;
}

const emptyState = ({ text, only }: SearchContent) =>
  html`<div class="empty"><h2>“<bdi>${visible(text)}</bdi>” is in no ${only === undefined ? 'name, key, type or value' : only}</h2><p>Capital and small letters count as the same.</p></div>`;

function group(prefix: string, { name, type, hits }: HitBean, text: string): Html {
  return html`<tbody role="rowgroup"><tr role="row" class="group"><th role="rowheader" scope="rowgroup" colspan="3"><div><b><a href="${beanLink(prefix, name, 'html')}"><bdi>${markAll(name, text)}</bdi></a></b><span class="kind">${markAll(type, text)}</span><span class="num push">${counted(hits.length, 'hit')}</span></div></th></tr>
${hits.map((hit) => row(prefix, name, hit))}</tbody>
`;
}

function row(prefix: string, name: string, hit: Hit): Html {
  return html`<tr role="row"><td role="cell" class="in"><span class="tag">${hit.in}</span></td><td role="cell">${place(prefix, name, hit.pointer)}</td><td role="cell" class="val"><span class="${hit.in === 'value' ? 's' : 'p'}" dir="auto">${marked(hit)}</span></td></tr>
`;
}

/** Where a hit is, and a link to it. */
function place(prefix: string, name: string, pointer: string): Html {
  if (pointer === '') return html`<a href="${beanLink(prefix, name, 'html')}">the whole bean</a>`;
  const label = visible(pointer);
  return fitsAddress(pointer)
    ? html`<a class="path" href="${viewLink(prefix, viewFrom(name, pointer))}">${label}</a>`
    : html`<span class="path">${label.slice(0, 200)}…</span>`;
}

/** The text of a hit with the match marked. */
const marked = ({ text, start, end }: Hit) =>
  html`${visible(text.slice(0, start))}<mark>${visible(text.slice(start, end))}</mark>${visible(text.slice(end))}`;

/** A text with its first match marked, if there is one. */
function markAll(whole: string, text: string): Html {
  const start = whole.toLowerCase().indexOf(text.toLowerCase());
  if (start === -1 || whole.toLowerCase().length !== whole.length) return html`${whole}`;
  return marked({ pointer: '', in: 'name', text: whole, start, end: start + text.length });
}
