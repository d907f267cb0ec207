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
  /** Whether the column is shown; by default it is. */
  readonly isShown?: (beans: readonly ListedBean[]) => boolean;
  /** The value that rows are sorted by; without it, the column cannot be sorted. */
  readonly sortKey?: (bean: ListedBean) => string | number;
  /** Whether the first click sorts from the largest to the smallest. */
  readonly isLargestFirst?: boolean;
  readonly cell: (bean: ListedBean, context: RowContext) => Html;
}

interface RowContext {
  readonly prefix: string;
  /** Sparklines of recorded values, by bean. */
  readonly sparks: ReadonlyMap<string, Html>;
}

const columns: Readonly<Record<string, Column>> = {
  name: {
    title: 'Name',
    sortKey: ({ name }) => name,
    cell: ({ name }, { prefix }) =>
      html`<th role="rowheader" scope="row" class="name"><a href="${beanLink(prefix, name, 'html')}"><bdi>${name}</bdi></a></th>`,
  },
  type: {
    title: 'Type',
    sortKey: ({ type }) => type,
    cell: ({ type }) => html`<td role="cell" class="type">${type !== 'unknown' && html`<code>${type}</code>`}</td>`,
  },
  owner: {
    title: 'Owner',
    isShown: (beans) => ownersOf(beans) > 1,
    sortKey: ({ owner }) => owner,
    cell: ({ owner }) => html`<td role="cell" class="owner"><bdi dir="ltr">${owner}</bdi></td>`,
  },
  needs: {
    title: 'Needs',
    isShown: (beans) => beans.some(({ dependencies }) => dependencies !== 'unknown' && dependencies.length > 0),
    sortKey: ({ dependencies }) => (dependencies === 'unknown' ? -1 : dependencies.length),
    isLargestFirst: true,
    cell: (bean, { prefix }) => html`<td role="cell" class="needs" data-label="needs">${needs(bean, prefix)}</td>`,
  },
  by: {
    title: 'Needed by',
    className: 'c-by end',
    isShown: (beans) => beans.some(({ dependents }) => dependents.length > 0),
    sortKey: ({ dependents }) => dependents.length,
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
    sortKey: (bean) => Object.keys(beanStates).indexOf(stateOf(bean)),
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
  /** The key of a column, with a minus before it for descending order; `found` is the order of the source. */
  readonly sort: string;
  /** Whether minor beans are shown too. */
  readonly isAll: boolean;
  /** Whether the state line of every bean is read, however long that takes. */
  readonly hasAllLines: boolean;
  /** Whether the beans were discovered, not registered: then important ones come first, whatever their owner. */
  readonly isDiscovered: boolean;
}

const columnOf = (sort: string) => sort.replace(/^-/, '');

/** The view that an address asks for. Unknown values are ignored, since addresses of older releases may contain them. */
export function parseListView(url: string, isDiscovered = false): ListView {
  const query = queryOf(url);
  const group = query.get('group');
  const sort = query.get('sort') ?? '';
  const isKnown = sort === 'found' || columns[columnOf(sort)]?.sortKey !== undefined;
  return {
    filter: query.get('q') ?? '',
    isGrouped: isDiscovered ? group === 'owner' : group !== 'none',
    sort: isKnown ? sort : defaultSort(isDiscovered),
    isAll: query.has('all'),
    hasAllLines: hasAllLines(url),
    isDiscovered,
  };
}

export const hasAllLines = (url: string): boolean => queryOf(url).get('states') === 'all';

const defaultSort = (isDiscovered: boolean) => (isDiscovered ? 'found' : 'name');

/** The parameters of a view that are not the default. */
const viewQuery = ({ filter, isGrouped, sort, isAll, isDiscovered, ...view }: ListView): Query => ({
  q: filter,
  group: isGrouped === !isDiscovered ? undefined : isGrouped ? 'owner' : 'none',
  sort: sort === defaultSort(isDiscovered) ? undefined : sort,
  all: isAll ? 1 : undefined,
  states: view.hasAllLines ? 'all' : undefined,
});

export interface ListContent {
  readonly beans: readonly ListedBean[];
  readonly view: ListView;
  /** Whether opening a missing bean creates it. */
  readonly isCreating?: boolean;
  /** Sparklines of recorded values, by bean. */
  readonly sparks?: ReadonlyMap<string, Html>;
  readonly note?: string | undefined;
  /** The number of beans whose state was not read. */
  readonly linesLeft?: number;
}

type LinkTo = (changes: Partial<ListView>) => string;

/** The list of beans: what is known of each, and links to its documents. */
export function listPage(site: Site, content: ListContent): string {
  const { prefix } = site;
  const { beans, view, isCreating = false, sparks = new Map(), note, linesLeft = 0 } = content;
  const link: LinkTo = (changes) => `${prefix}/bean${writeQuery(viewQuery({ ...view, ...changes }))}`;
  const owners = ownersOf(beans);
  const isGrouped = view.isGrouped && owners > 1;
  // A bean that the filter names is shown even if it is minor.
  const isAll = view.isAll || view.filter !== '';
  const hidden = isAll ? 0 : beans.filter(({ isMinor }) => isMinor).length;
  const shown = beans.filter(({ isMinor }) => isAll || isMinor !== true);
  const matching = shown.filter((bean) => matchesFilter(textOf(bean), view.filter)).length;
  const shownColumns = Object.entries(columns).filter(
    ([key, { isShown }]) => (isShown === undefined || isShown(beans)) && !(key === 'owner' && isGrouped),
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
<noscript><button class="button big">Apply</button></noscript><p class="soft num" role="status" id="count">${view.filter !== '' && `${matching} of ${shown.length}`}</p>
</form>
<section class="card" aria-label="All beans">
<table role="table" class="beans grouped" id="beans"${matching === 0 && html` hidden`}>
<thead role="rowgroup"><tr role="row">${shownColumns.map(([key, column]) => heading(key, column, view, link))}</tr></thead>
${(isGrouped ? byOwner(shown) : [{ owner: undefined, beans: shown }]).map((group) => {
  const count = group.beans.filter((bean) => matchesFilter(textOf(bean), view.filter)).length;
  return html`<tbody role="rowgroup"${count === 0 && html` hidden`}>${group.owner !== undefined && groupRow(group.owner, count, shownColumns.length)}
${sorted(group.beans, view).map((bean) => row(bean, view.filter, shownColumns, { prefix, sparks }))}</tbody>
`;
})}</table>
${
  hidden > 0 &&
  html`<p class="row foot"><a href="${link({ isAll: true })}">Constants and helpers (${hidden})</a></p>
`
}${emptyState(prefix, view.filter, matching === 0)}
</section>`;
  return page(site, { title: 'Beans', section: 'bean', hasSearch: true, main });
}

/** The text that the filter searches. */
const textOf = ({ name, type, scope, owner }: ListedBean) => `${name} ${type} ${scope} ${owner}`;

const grouping = (isGrouped: boolean, link: LinkTo) =>
  html`<div class="field" role="group" aria-labelledby="group-by"><span id="group-by">Group by</span><nav class="pick" aria-labelledby="group-by"><a href="${link({ isGrouped: true })}"${isGrouped && html` aria-current="true"`}>Owner</a><a href="${link({ isGrouped: false })}"${!isGrouped && html` aria-current="true"`}>None</a></nav></div>
`;

type ShownColumns = readonly (readonly [string, Column])[];

function heading(
  key: string,
  { title, className, sortKey, isLargestFirst = false }: Column,
  { sort }: ListView,
  link: LinkTo,
) {
  const isDescending = sort.startsWith('-');
  const isSorted = key === columnOf(sort);
  const next = (isSorted ? !isDescending : isLargestFirst) ? `-${key}` : key;
  return html`<th role="columnheader" scope="col"${className !== undefined && html` class="${className}"`}${isSorted && html` aria-sort="${isDescending ? 'descending' : 'ascending'}"`}>${
    sortKey === undefined ? title : html`<a href="${link({ sort: next })}">${title}</a>`
  }</th>`;
}

function sorted(beans: readonly ListedBean[], { sort }: ListView): readonly ListedBean[] {
  const sortKey = columns[columnOf(sort)]?.sortKey;
  if (sortKey === undefined) return beans;
  const direction = sort.startsWith('-') ? -1 : 1;
  return [...beans].sort((a, b) => direction * compare(sortKey(a), sortKey(b)) || compare(a.name, b.name));
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

/** Rows that the filter excludes are hidden, not left out: the script may show them again. */
function row(bean: ListedBean, filter: string, shownColumns: ShownColumns, context: RowContext): Html {
  const text = textOf(bean);
  return html`<tr role="row" data-text="${text}"${!matchesFilter(text, filter) && html` hidden`}>${shownColumns.map(([, { cell }]) => cell(bean, context))}</tr>
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

/** Hidden until no bean matches; the script shows it while the user types. */
function emptyState(prefix: string, filter: string, isShown: boolean): Html {
  const heading = isShown && filter === '' ? 'No bean is here' : html`No bean has “<bdi id="word">${filter}</bdi>”`;
  return html`<div class="empty" id="empty"${!isShown && html` hidden`}><h2>${heading}</h2><p>The text may still be a key or a value inside a bean.</p><div class="row"><a class="button" id="inside" href="${prefix}/bean${writeQuery({ find: filter })}">${icon('find')}Search inside the beans</a><a class="button" id="clear" href="${prefix}/bean">Clear the filter</a></div></div>`;
}
