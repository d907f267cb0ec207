import type { ListedBean } from '../beans/bean-list.ts';
import { queryOf } from '../http/parameters.ts';
import { pluralize } from './amounts.ts';
import { matchesFilter } from './bean-filter.ts';
import { beanStates, stateMark, stateOf } from './bean-state.ts';
import { type Html, hiddenFields, html } from './html.ts';
import { beanLink, type Query, writeQuery } from './links.ts';
import { icon, page, type Site, searchField, timeOf } from './page.ts';
import { visible } from './tree.ts';

interface Column {
  readonly title: string;
  readonly className?: string;
  /** Whether any bean has one; by default true. */
  readonly isKnown?: (beans: readonly ListedBean[]) => boolean;
  /** What rows are sorted by; without it, they are not. */
  readonly by?: (bean: ListedBean) => string | number;
  /** Whether the first click sorts from the largest to the smallest. */
  readonly isLargestFirst?: boolean;
  readonly cell: (bean: ListedBean, context: RowContext) => Html;
}

interface RowContext {
  readonly prefix: string;
  /** The lines of recorded values, by bean. */
  readonly sparks: ReadonlyMap<string, Html>;
}

const columns: Readonly<Record<string, Column>> = {
  name: {
    title: 'Name',
    by: ({ name }) => name,
    cell: ({ name }, { prefix }) =>
      html`<th role="rowheader" scope="row" class="name"><a href="${beanLink(prefix, name, 'html')}"><bdi>${name}</bdi></a></th>`,
  },
  type: {
    title: 'Type',
    by: ({ type }) => type,
    cell: ({ type }) => html`<td role="cell" class="type">${type !== 'unknown' && html`<code>${type}</code>`}</td>`,
  },
  owner: {
    title: 'Owner',
    isKnown: (beans) => ownersOf(beans) > 1,
    by: ({ owner }) => owner,
    cell: ({ owner }) => html`<td role="cell" class="owner"><bdi dir="ltr">${owner}</bdi></td>`,
  },
  needs: {
    title: 'Needs',
    isKnown: (beans) => beans.some(({ dependencies }) => dependencies !== 'unknown' && dependencies.length > 0),
    by: ({ dependencies }) => (dependencies === 'unknown' ? -1 : dependencies.length),
    isLargestFirst: true,
    cell: (bean, { prefix }) => html`<td role="cell" class="needs" data-label="needs">${needs(bean, prefix)}</td>`,
  },
  by: {
    title: 'Needed by',
    className: 'c-by end',
    isKnown: (beans) => beans.some(({ dependents }) => dependents.length > 0),
    by: ({ dependents }) => dependents.length,
    isLargestFirst: true,
    cell: ({ name, dependents: { length } }, { prefix }) =>
      html`<td role="cell" class="by end num">${
        length === 0
          ? html`<span class="none">0</span>`
          : html`<a href="${beanLink(prefix, name, 'html')}#needed-by" aria-label="${name} is needed by ${length}">${length}</a>`
      }</td>`,
  },
  state: {
    title: 'State',
    className: 'c-state',
    by: (bean) => Object.keys(beanStates).indexOf(stateOf(bean)),
    cell: (bean, { sparks }) =>
      html`<td role="cell" class="state-cell">${stateMark(bean)}${bean.line && html` <span class="line"><bdi>${visible(bean.line)}</bdi></span>`}${sparks.get(bean.name)}</td>`,
  },
  open: {
    title: 'Open as',
    className: 'c-open',
    cell: ({ name, links }) =>
      html`<td role="cell" class="open"><a href="${links.json}?pretty" aria-label="${name} as JSON">JSON</a><a href="${links.xml}?pretty" aria-label="${name} as XML">XML</a></td>`,
  },
};

const ownersOf = (beans: readonly ListedBean[]) => new Set(beans.map(({ owner }) => owner)).size;

/** How the list is shown, as its address says. */
export interface ListView {
  readonly filter: string;
  readonly isGrouped: boolean;
  /** The key of a column, after a minus from the largest to the smallest; `found` is the order of their source. */
  readonly sort: string;
  /** Whether minor beans are shown too. */
  readonly isAll: boolean;
  /** Whether the state of all beans is read, however long that takes. */
  readonly hasAllLines: boolean;
  /** Whether the beans were discovered, not registered: then important ones come first, whatever their owner. */
  readonly isFound: boolean;
}

const keyOf = (sort: string) => sort.replace(/^-/, '');

/** The view that an address asks for. Unknown values are ignored, since addresses of older releases may contain them. */
export function parseListView(url: string, isFound = false): ListView {
  const query = queryOf(url);
  const group = query.get('group');
  const sort = query.get('sort') ?? '';
  const isKnown = sort === 'found' || Object.entries(columns).some(([key, { by }]) => by && key === keyOf(sort));
  return {
    filter: query.get('q') ?? '',
    isGrouped: isFound ? group === 'owner' : group !== 'none',
    sort: isKnown ? sort : usualSort(isFound),
    isAll: query.has('all'),
    hasAllLines: hasAllLines(url),
    isFound,
  };
}

export const hasAllLines = (url: string): boolean => queryOf(url).get('states') === 'all';

const usualSort = (isFound: boolean) => (isFound ? 'found' : 'name');

/** The parameters of a view, without those that are as usual. */
const viewQuery = ({ filter, isGrouped, sort, isAll, isFound, ...view }: ListView): Query => ({
  q: filter,
  group: isGrouped === !isFound ? undefined : isGrouped ? 'owner' : 'none',
  sort: sort === usualSort(isFound) ? undefined : sort,
  all: isAll ? 1 : undefined,
  states: view.hasAllLines ? 'all' : undefined,
});

export interface ListContent {
  readonly beans: readonly ListedBean[];
  readonly view: ListView;
  /** Whether opening a missing bean creates it. */
  readonly isCreating?: boolean;
  /** The lines of recorded values, by bean. */
  readonly sparks?: ReadonlyMap<string, Html>;
  readonly note?: string | undefined;
  /** Of how many beans the state was not read. */
  readonly linesLeft?: number;
}

type LinkTo = (changes: Partial<ListView>) => string;

/** The list of beans for people: what is known of each, and a link to each form. */
export function listPage(site: Site, content: ListContent): string {
  const { prefix } = site;
  const { beans, view, isCreating = false, sparks = new Map(), note, linesLeft = 0 } = content;
  const link: LinkTo = (changes) => `${prefix}/bean${writeQuery(viewQuery({ ...view, ...changes }))}`;
  const owners = ownersOf(beans);
  const isGrouped = view.isGrouped && owners > 1;
  // A bean that the filter names is shown even if it is minor.
  const isAll = view.isAll || view.filter !== '';
  const folded = isAll ? 0 : beans.filter(({ isMinor }) => isMinor).length;
  const shown = beans.filter(({ isMinor }) => isAll || isMinor !== true);
  const left = shown.filter((bean) => matchesFilter(textOf(bean), view.filter)).length;
  const used = Object.entries(columns).filter(
    ([key, { isKnown }]) => (isKnown === undefined || isKnown(beans)) && !(key === 'owner' && isGrouped),
  );
  const main = html`<header class="head"><div><h1>Beans</h1>
<p>${pluralize(beans.length, 'live component')}, looked at ${timeOf(new Date())}.${isCreating && ' Opening one that is not created yet creates it.'}</p></div>
<p class="row"><span>This list as</span> <a href="${prefix}/bean.json">JSON</a> <a href="${prefix}/bean.xml">XML</a></p></header>
${
  note !== undefined &&
  html`<div class="note"><p>${note}</p></div>
`
}${
  linesLeft > 0 &&
  html`<div class="note"><p>The state of ${pluralize(linesLeft, 'bean')} is not shown, since reading that of the others took long. <a href="${link({ hasAllLines: true })}">Show all</a></p></div>
`
}<form class="tools" role="search" action="${prefix}/bean" id="tools">
${searchField('q', view.filter, true)}<button class="button big" name="inside" value="1">Search inside</button>
${owners > 1 && grouping(isGrouped, link)}${hiddenFields({ ...viewQuery(view), q: undefined })}
<noscript><button class="button big">Apply</button></noscript><p class="soft num" role="status" id="count">${view.filter !== '' && `${left} of ${shown.length}`}</p>
</form>
<section class="card" aria-label="All beans">
<table role="table" class="beans grouped" id="beans"${left === 0 && html` hidden`}>
<thead role="rowgroup"><tr role="row">${used.map(([key, column]) => heading(key, column, view, link))}</tr></thead>
${(isGrouped ? byOwner(shown) : [{ owner: undefined, beans: shown }]).map((group) => {
  const count = group.beans.filter((bean) => matchesFilter(textOf(bean), view.filter)).length;
  return html`<tbody role="rowgroup"${count === 0 && html` hidden`}>${group.owner !== undefined && groupRow(group.owner, count, used.length)}
${sorted(group.beans, view).map((bean) => row(bean, view.filter, used, { prefix, sparks }))}</tbody>
`;
})}</table>
${
  folded > 0 &&
  html`<p class="row foot"><a href="${link({ isAll: true })}">Constants and helpers (${folded})</a></p>
`
}${emptyState(prefix, view.filter, left === 0)}
</section>`;
  return page(site, { title: 'Beans', section: 'bean', hasSearch: true, main });
}

/** The text that the filter searches. */
const textOf = ({ name, type, scope, owner }: ListedBean) => `${name} ${type} ${scope} ${owner}`;

const grouping = (isGrouped: boolean, link: LinkTo) =>
  html`<div class="field" role="group" aria-labelledby="group-by"><span id="group-by">Group by</span><nav class="pick" aria-labelledby="group-by"><a href="${link({ isGrouped: true })}"${isGrouped && html` aria-current="true"`}>Owner</a><a href="${link({ isGrouped: false })}"${!isGrouped && html` aria-current="true"`}>None</a></nav></div>
`;

type UsedColumns = readonly (readonly [string, Column])[];

function heading(
  key: string,
  { title, className, by, isLargestFirst = false }: Column,
  { sort }: ListView,
  link: LinkTo,
) {
  const isDescending = sort.startsWith('-');
  const isSorted = key === keyOf(sort);
  const next = (isSorted ? !isDescending : isLargestFirst) ? `-${key}` : key;
  return html`<th role="columnheader" scope="col"${className !== undefined && html` class="${className}"`}${isSorted && html` aria-sort="${isDescending ? 'descending' : 'ascending'}"`}>${
    by === undefined ? title : html`<a href="${link({ sort: next })}">${title}</a>`
  }</th>`;
}

function sorted(beans: readonly ListedBean[], { sort }: ListView): readonly ListedBean[] {
  const by = columns[keyOf(sort)]?.by;
  if (by === undefined) return beans;
  const direction = sort.startsWith('-') ? -1 : 1;
  return [...beans].sort((a, b) => direction * compare(by(a), by(b)) || compare(a.name, b.name));
}

const compare = (a: string | number, b: string | number) =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en');

/** The beans of each owner, by its name. */
function byOwner(all: readonly ListedBean[]) {
  const owners = [...new Set(all.map(({ owner }) => owner))].sort(compare);
  return owners.map((owner) => ({ owner, beans: all.filter((bean) => bean.owner === owner) }));
}

const groupRow = (owner: string, size: number, width: number) =>
  html`<tr role="row" class="group"><th role="rowheader" scope="rowgroup" colspan="${width}"><div><b><bdi dir="ltr">${owner}</bdi></b><span class="num">${size}</span></div></th></tr>`;

/** The script can show a row again that the filter of the address hides. */
function row(bean: ListedBean, filter: string, used: UsedColumns, context: RowContext): Html {
  const text = textOf(bean);
  return html`<tr role="row" data-text="${text}"${!matchesFilter(text, filter) && html` hidden`}>${used.map(([, { cell }]) => cell(bean, context))}</tr>
`;
}

/** More would make rows of several lines. */
const maxNeeds = 2;

function needs({ name, dependencies }: ListedBean, prefix: string): Html {
  if (dependencies === 'unknown') return html`<span class="none">unknown</span>`;
  if (dependencies.length === 0) return html`<span class="hush">nothing</span>`;
  const more = dependencies.length - maxNeeds;
  return html`${dependencies.slice(0, maxNeeds).map((needed) => html`<a href="${beanLink(prefix, needed, 'html')}"><bdi>${needed}</bdi></a> `)}${
    more > 0 &&
    html`<a class="more" href="${beanLink(prefix, name, 'html')}#needs" aria-label="${more} more that ${name} needs">+${more}</a>`
  }`;
}

/** The script shows it too, when nothing is left while typing. */
function emptyState(prefix: string, filter: string, isShown: boolean): Html {
  const heading = isShown && filter === '' ? 'No bean is here' : html`No bean has “<bdi id="word">${filter}</bdi>”`;
  return html`<div class="empty" id="empty"${!isShown && html` hidden`}><h2>${heading}</h2><p>The text may still be a key or a value inside a bean.</p><div class="row"><a class="button" id="inside" href="${prefix}/bean${writeQuery({ find: filter })}">${icon('find')}Search inside the beans</a><a class="button" id="clear" href="${prefix}/bean">Clear the filter</a></div></div>`;
}
