import type { ListedBean } from '../beans/bean-list.ts';
import { queryOf } from '../http/parameters.ts';
import { matchesFilter } from './bean-filter.ts';
import { beanLink, type Query, writeQuery } from './bean-links.ts';
import { type BeanState, beanStates, stateMark, stateOf } from './bean-state.ts';
import { type Html, html } from './html.ts';
import { icon, page, type Site, searchField, timeOf } from './page.ts';
import { visible } from './tree-rows.ts';

const groups = { owner: 'Owner', type: 'Type', none: 'None' } as const;

/** What the list can be sorted by; counts begin with the largest. Without any, found beans come in the order of their source. */
const sortKeys = {
  found: () => 0,
  name: ({ name }: ListedBean) => name,
  type: ({ type }: ListedBean) => type,
  scope: ({ scope }: ListedBean) => scope,
  owner: ({ owner }: ListedBean) => owner,
  needs: ({ dependencies }: ListedBean) => (dependencies === 'unknown' ? -1 : dependencies.length),
  by: ({ dependents }: ListedBean) => dependents.length,
  state: (bean: ListedBean) => Object.keys(beanStates).indexOf(stateOf(bean)),
} as const;

type SortKey = keyof typeof sortKeys;

/** How the list is shown, as its address says. */
export interface ListView {
  readonly filter: string;
  readonly group: keyof typeof groups;
  readonly sort: SortKey;
  readonly isDescending: boolean;
  readonly state: BeanState | undefined;
  /** Whether minor beans are shown too. */
  readonly isAll: boolean;
  /** Whether nobody has registered the beans: then those that matter come first, whoever owns them. */
  readonly isFound: boolean;
}

const has = <Key extends string>(table: Readonly<Record<Key, unknown>>, key: string | null): key is Key =>
  key !== null && Object.hasOwn(table, key);

/** The view that an address asks for. A value that there is not counts as none, since an address of an older release may have it. */
export function parseListView(url: string, isFound = false): ListView {
  const query = queryOf(url);
  const group = query.get('group');
  const state = query.get('state');
  const sort = query.get('sort') ?? '';
  const isDescending = sort.startsWith('-');
  const key = isDescending ? sort.slice(1) : sort;
  return {
    filter: query.get('q') ?? '',
    group: has(groups, group) ? group : usualGroup(isFound),
    sort: has(sortKeys, key) ? key : usualSort(isFound),
    isDescending: isDescending && has(sortKeys, key),
    state: has(beanStates, state) ? state : undefined,
    isAll: query.has('all'),
    isFound,
  };
}

const usualGroup = (isFound: boolean) => (isFound ? 'none' : 'owner');
const usualSort = (isFound: boolean): SortKey => (isFound ? 'found' : 'name');

/** The parameters of a view, without those that are as usual. */
function viewQuery({ filter, group, sort, isDescending, state, isAll, isFound }: ListView): Query {
  const sorted = isDescending ? `-${sort}` : sort;
  return {
    q: filter,
    group: group === usualGroup(isFound) ? undefined : group,
    sort: sorted === usualSort(isFound) ? undefined : sorted,
    state,
    all: isAll ? 1 : undefined,
  };
}

/** The list of beans for people: what there is, where it comes from, in which state it is, and a link to each form. */
export function listPage(
  site: Site,
  beans: readonly ListedBean[],
  view: ListView,
  /** The lines of recorded values, by bean. */
  sparks: ReadonlyMap<string, Html> = new Map(),
  note?: string,
): string {
  const { prefix } = site;
  const link = (changes: Partial<ListView>) => `${prefix}/bean${writeQuery(viewQuery({ ...view, ...changes }))}`;
  const owners = new Set(beans.map(({ owner }) => owner)).size;
  // What is looked for by its name is shown, however little it matters.
  const isAll = view.isAll || view.filter !== '';
  const folded = isAll ? 0 : beans.filter(({ isMinor }) => isMinor).length;
  const shown = beans.filter(({ isMinor }) => isAll || isMinor !== true);
  const inState = shown.filter((bean) => view.state === undefined || stateOf(bean) === view.state);
  const isShown = (bean: ListedBean) => matchesFilter(bean, view.filter);
  const left = inState.filter(isShown).length;
  const main = html`<header class="head"><div><h1>Beans</h1>
<p>${count(beans.length, 'live component')} from ${count(owners, 'package')}, looked at ${timeOf(new Date())}. Opening one that is not created yet creates it.</p></div>
<p class="row"><span>This list as</span> <a href="${prefix}/bean.json">JSON</a> <a href="${prefix}/bean.xml">XML</a></p></header>
${
  note !== undefined &&
  html`<div class="note"><p>${note}</p></div>
`
}${tools(site, view, link)}
<div class="tools"><nav class="pick" aria-label="State">${stateLinks(beans, view, link)}</nav><p class="soft num" role="status" id="count">${view.filter !== '' && `${left} of ${inState.length}`}</p></div>
<section class="card" aria-label="All beans">
<table role="table" class="beans grouped" data-group="${view.group}" id="beans"${left === 0 && html` hidden`}>
<thead role="rowgroup"><tr role="row">${headings(view, link)}</tr></thead>
${grouped(sorted(inState, view), view.group).map(([name, members]) => {
  const count = members.filter(isShown).length;
  return html`<tbody role="rowgroup"${count === 0 && html` hidden`}>${view.group !== 'none' && groupRow(name, count)}
${members.map((bean) => row(bean, prefix, isShown(bean), sparks.get(bean.name)))}</tbody>
`;
})}</table>
${
  folded > 0 &&
  html`<p class="row folded"><a href="${link({ isAll: true })}">Constants and helpers (${folded})</a></p>
`
}${emptyState(site, view, left === 0)}
</section>`;
  return page(site, { title: 'Beans', section: 'bean', hasSearch: true, main });
}

const tools = ({ prefix }: Site, view: ListView, link: (changes: Partial<ListView>) => string) =>
  html`<form class="tools" role="search" action="${prefix}/bean" id="tools">
${searchField({ name: 'q', value: view.filter, isBig: true })}<button class="button big" name="inside" value="1">Search inside</button>
<div class="field" role="group" aria-labelledby="group-by"><span id="group-by">Group by</span><nav class="pick" aria-labelledby="group-by">${Object.entries(
    groups,
  ).map(
    ([group, title]) =>
      html`<a href="${link({ group: group as ListView['group'] })}"${group === view.group && html` aria-current="true"`}>${title}</a>`,
  )}</nav></div>
<label class="field only-narrow">Sort <select name="sort" id="sort">${sortOptions(view)}</select></label>
${view.group !== usualGroup(view.isFound) && html`<input type="hidden" name="group" value="${view.group}">`}${view.state !== undefined && html`<input type="hidden" name="state" value="${view.state}">`}
<noscript><button class="button big">Apply</button></noscript>
</form>`;

const sortTitles = {
  name: 'Name',
  type: 'Type',
  '-needs': 'Most needs',
  '-by': 'Most needed',
  state: 'State',
} as const;

function sortOptions(view: ListView): Html[] {
  const chosen = (view.isDescending ? '-' : '') + view.sort;
  const titles: Readonly<Record<string, string>> = {
    ...(has(sortTitles, chosen) ? {} : { [chosen]: chosen }),
    ...sortTitles,
  };
  return Object.entries(titles).map(
    ([key, title]) => html`<option value="${key}"${key === chosen && html` selected`}>${title}</option>`,
  );
}

function stateLinks(
  beans: readonly ListedBean[],
  view: ListView,
  link: (changes: Partial<ListView>) => string,
): Html[] {
  const choices: readonly [BeanState | undefined, string][] = [
    [undefined, 'All'],
    ...(Object.entries(beanStates) as [BeanState, string][]),
  ];
  return choices.map(([state, title]) => {
    const members = state === undefined ? beans : beans.filter((bean) => stateOf(bean) === state);
    return html`<a href="${link({ state })}"${state === view.state && html` aria-current="true"`}>${title} <span class="num">${members.length}</span></a>`;
  });
}

const columns: readonly { readonly key: SortKey; readonly title: string; readonly className: string }[] = [
  { key: 'name', title: 'Name', className: 'c-name' },
  { key: 'type', title: 'Type', className: 'type c-type' },
  { key: 'scope', title: 'Scope', className: 'c-scope' },
  { key: 'owner', title: 'Owner', className: 'owner c-owner' },
  { key: 'needs', title: 'Needs', className: '' },
  { key: 'by', title: 'Needed by', className: 'c-by by end' },
  { key: 'state', title: 'State', className: 'c-state' },
];

function headings(view: ListView, link: (changes: Partial<ListView>) => string): Html[] {
  const heads = columns.map(({ key, title, className }) => {
    const isSorted = key === view.sort;
    const isDescending = isSorted ? !view.isDescending : key === 'needs' || key === 'by';
    const order = isSorted && html` aria-sort="${view.isDescending ? 'descending' : 'ascending'}"`;
    return html`<th role="columnheader" scope="col" class="${className}"${order}><a href="${link({ sort: key, isDescending })}">${title}</a></th>`;
  });
  return [...heads, html`<th role="columnheader" scope="col" class="c-open">Open as</th>`];
}

function sorted(beans: readonly ListedBean[], { sort, isDescending }: ListView): ListedBean[] {
  const key = sortKeys[sort];
  if (sort === 'found') return [...beans];
  const direction = isDescending ? -1 : 1;
  return [...beans].sort((a, b) => direction * compare(key(a), key(b)) || compare(a.name, b.name));
}

const compare = (a: string | number, b: string | number) =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en');

function grouped(beans: readonly ListedBean[], group: ListView['group']): [string, ListedBean[]][] {
  const members = new Map<string, ListedBean[]>();
  for (const bean of beans) {
    const name = group === 'none' ? '' : bean[group];
    members.set(name, [...(members.get(name) ?? []), bean]);
  }
  return [...members].sort(([a], [b]) => compare(a, b));
}

/** Of the eight columns, the one that is the group is not shown. */
const groupRow = (name: string, size: number) =>
  html`<tr role="row" class="group"><th role="rowheader" scope="rowgroup" colspan="7"><div><b><bdi dir="ltr">${name}</bdi></b><span class="num">${size}</span></div></th></tr>`;

/** The script can show a row again that the filter of the address hides. */
function row(bean: ListedBean, prefix: string, isShown: boolean, spark: Html | undefined): Html {
  const { name, type, scope, owner, dependents, links, line = '' } = bean;
  return html`<tr role="row"${!isShown && html` hidden`}><th role="rowheader" scope="row" class="name"><a href="${beanLink(prefix, name, 'html')}"><bdi>${name}</bdi></a></th><td role="cell" class="type"><code>${type}</code></td><td role="cell" class="scope">${scope}</td><td role="cell" class="owner"><bdi dir="ltr">${owner}</bdi></td><td role="cell" class="needs" data-label="needs">${needs(bean, prefix)}</td><td role="cell" class="by end num">${
    dependents.length === 0
      ? html`<span class="none">0</span>`
      : html`<a href="${beanLink(prefix, name, 'html')}#needed-by" aria-label="${name} is needed by ${dependents.length}">${dependents.length}</a>`
  }</td><td role="cell" class="state-cell">${stateMark(bean)}${line !== '' && html` <span class="line"><bdi>${visible(line)}</bdi></span>`}${spark}</td><td role="cell" class="open"><a href="${links.json}?pretty" aria-label="${name} as JSON">JSON</a><a href="${links.xml}?pretty" aria-label="${name} as XML">XML</a></td></tr>
`;
}

/** More would make rows of several lines. */
const mostNeeds = 2;

function needs({ name, dependencies }: ListedBean, prefix: string): Html {
  if (dependencies === 'unknown') return html`<span class="none">unknown</span>`;
  if (dependencies.length === 0) return html`<span class="hush">nothing</span>`;
  const more = dependencies.length - mostNeeds;
  return html`${dependencies.slice(0, mostNeeds).map((needed) => html`<a href="${beanLink(prefix, needed, 'html')}"><bdi>${needed}</bdi></a> `)}${
    more > 0 &&
    html`<a class="more" href="${beanLink(prefix, name, 'html')}#needs" aria-label="${more} more that ${name} needs">+${more}</a>`
  }`;
}

/** The script shows it too, when nothing is left while typing. */
function emptyState({ prefix }: Site, { filter, state }: ListView, isShown: boolean): Html {
  const inState = state === undefined ? '' : ` in the state “${beanStates[state]}”`;
  const heading =
    isShown && filter === ''
      ? html`No bean is${inState || ' here'}`
      : html`No bean${inState} has “<bdi id="word">${filter}</bdi>”`;
  return html`<div class="empty" id="empty"${!isShown && html` hidden`}><h2>${heading}</h2><p>The text may still be a key or a value inside a bean.</p><div class="row"><a class="button" id="inside" href="${prefix}/bean${writeQuery({ find: filter })}">${icon('find')}Search inside the beans</a><a class="button" id="clear" href="${prefix}/bean">Clear the filter</a></div></div>`;
}

const count = (number: number, noun: string) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
