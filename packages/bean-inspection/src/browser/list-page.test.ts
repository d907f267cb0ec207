import { describe, expect, it } from 'vitest';
import type { ListedBean } from '../beans/bean-list.ts';
import type { BeanDescription } from '../sources/bean-source.ts';
import { listPage, parseListView } from './list-page.ts';

const bean = (name: string, more: Partial<ListedBean & BeanDescription> = {}): ListedBean => ({
  name,
  type: 'Object',
  scope: 'singleton',
  owner: 'test',
  dependencies: [],
  dependents: [],
  instantiated: true,
  links: { json: `/jig/bean/${name}.json`, xml: `/jig/bean/${name}.xml` },
  ...more,
});

const list = (beans: readonly ListedBean[], query = '', prefix = '/jig') =>
  listPage({ prefix }, { beans, view: parseListView(`/jig/bean${query}`) });

/** The names of the rows that are shown, in order. */
const names = (page: string) =>
  [
    ...page.matchAll(
      /<tr role="row" data-text="[^"]*"><th role="rowheader" scope="row" class="name"><a[^>]*><bdi>([^<]*)/g,
    ),
  ].map(([, name]) => name);

describe('listPage', () => {
  it('links below its prefix', () => {
    const page = list([bean('a')], '?group=none', '/internal');
    expect(page).toContain('href="/internal/bean/a.html"');
    expect(page).toContain('href="/internal/bean.json"');
    expect(page).toContain('href="/internal/bean?group=none&#38;sort=-name"');
  });

  it('shows the state of each bean', () => {
    const page = list([
      bean('made'),
      bean('lazy', { instantiated: false }),
      bean('perhaps', { instantiated: 'unknown' }),
      bean('perRequest', { scope: 'request', instantiated: false }),
      bean('perUse', { scope: 'transient', instantiated: false }),
      bean('fake', { replaced: true }),
    ]);
    for (const words of ['Created', 'Not created yet', 'Perhaps created', 'One per request', 'One for each use'])
      expect(page).toContain(`>${words}</span>`);
    expect(page).toContain('<span class="state fake">Replaced by a fake</span>');
  });

  it('has a line on the state of each bean, escaped, and does not filter by it', () => {
    const page = list([bean('pool', { line: '12 of 20 <connections>' }), bean('plain')], '?q=connections');
    expect(page).toContain('>Created</span> <span class="line"><bdi>12 of 20 &#60;connections&#62;</bdi></span></td>');
    expect(page.match(/class="line"/g)).toHaveLength(1);
    expect(names(page)).toEqual([]);
  });

  it('groups by owner by default, and offers it only for several owners', () => {
    const beans = [bean('b', { owner: 'two' }), bean('c', { owner: 'one' }), bean('a', { owner: 'two' })];
    expect(names(list(beans))).toEqual(['c', 'a', 'b']);
    expect(list(beans)).not.toContain('>Owner</a></th>');
    expect(names(list(beans, '?group=none'))).toEqual(['a', 'b', 'c']);
    expect(list(beans, '?group=none')).not.toContain('class="group"');
    expect(list(beans, '?group=none')).toContain('>Owner</a></th>');
    expect(names(list(beans, '?group=nonsense'))).toEqual(['c', 'a', 'b']);
    expect(list(beans)).toContain('Group by');
    expect(list([bean('a'), bean('b')])).not.toMatch(/Group by|class="group"/);
  });

  it('has a column only if its value is known for some bean', () => {
    const columnsOf = (...beans: readonly ListedBean[]) =>
      [...list(beans).matchAll(/<th role="columnheader"[^>]*>(?:<a[^>]*>)?([^<]*)/g)].map(([, title]) => title);
    expect(columnsOf(bean('a', { dependencies: 'unknown' }))).toEqual(['Name', 'Type', 'State', 'Open as']);
    const told = [bean('a', { dependencies: ['b'] }), bean('b', { dependencies: 'unknown', dependents: ['a'] })];
    expect(columnsOf(...told)).toEqual(['Name', 'Type', 'Needs', 'Needed by', 'State', 'Open as']);
    const page = list([bean('a', { type: 'unknown', dependencies: 'unknown' })]);
    expect(page.replace(/data-text="[^"]*"/g, '')).not.toMatch(/singleton|unknown|>0</);
    expect(page).not.toContain('from 1 package');
  });

  it('says that opening a bean creates it only where create is onRead', () => {
    const view = parseListView('/jig/bean');
    const beans = [bean('a', { instantiated: false })];
    const sentence = 'Opening one that is not created yet creates it.';
    expect(listPage({ prefix: '/jig' }, { beans, view, isCreating: true })).toContain(sentence);
    expect(listPage({ prefix: '/jig' }, { beans, view })).not.toContain(sentence);
  });

  it('shows how many states were not read, with a link to all', () => {
    const view = parseListView('/jig/bean?q=a');
    const page = listPage({ prefix: '/jig' }, { beans: [bean('a')], view, linesLeft: 48 });
    expect(page).toContain('The state of 48 beans is not shown');
    expect(page).toContain('<a href="/jig/bean?q=a&#38;states=all">Show all</a>');
    expect(list([bean('a')])).not.toContain('is not shown');
    expect(list([bean('a')], '?states=all')).toContain('?sort=-name&#38;states=all');
  });

  it('sorts within groups, in both directions, and marks the sorted column', () => {
    const beans = [bean('a', { dependents: ['b'] }), bean('b', { dependents: ['a', 'c'] }), bean('c')];
    expect(names(list(beans, '?sort=by'))).toEqual(['c', 'a', 'b']);
    const page = list(beans, '?sort=-by');
    expect(names(page)).toEqual(['b', 'a', 'c']);
    expect(page).toContain('aria-sort="descending"><a href="/jig/bean?sort=by">Needed by</a>');
    expect(names(list(beans, '?sort=-name'))).toEqual(['c', 'b', 'a']);
  });

  it('filters by all words in name, type, scope and owner', () => {
    const beans = [bean('orders', { type: 'Shop' }), bean('prices'), bean('mail', { owner: '@shop/mail' })];
    expect(names(list(beans, '?q=SHOP'))).toEqual(['mail', 'orders']);
    expect(names(list(beans, '?q=shop+singleton+ord'))).toEqual(['orders']);
    expect(list(beans, '?q=shop')).toContain('>2 of 3</p>');
  });

  it('offers to search inside when no bean matches', () => {
    const page = list([bean('a')], '?q=%3Cnothing%3E');
    expect(page).toContain('<bdi id="word">&#60;nothing&#62;</bdi>');
    expect(page).toContain('id="inside" href="/jig/bean?find=%3Cnothing%3E"');
  });

  it('shows two dependencies of a bean, and the number of the others', () => {
    const page = list([bean('a', { dependencies: ['b', 'c', 'd'] }), bean('u', { dependencies: 'unknown' })]);
    expect(page).toContain('href="/jig/bean/a.html#needs" aria-label="1 more that a needs">+1</a>');
    expect(page).toContain('<span class="none">unknown</span>');
  });

  it('keeps the order of discovered beans, and shows minor ones only on request', () => {
    const found = 'variable of the module';
    const beans = [bean('server:3000', { found }), bean('cache', { found }), bean('banner', { found, isMinor: true })];
    const page = (query: string) =>
      listPage({ prefix: '/jig' }, { beans, view: parseListView(`/jig/bean${query}`, true) });
    expect(names(page(''))).toEqual(['server:3000', 'cache']);
    expect(page('')).toContain('<a href="/jig/bean?all=1">Constants and helpers (1)</a>');
    expect(names(page('?all=1'))).toEqual(['server:3000', 'cache', 'banner']);
    expect(names(page('?q=ban'))).toEqual(['banner']);
    expect(names(page('?sort=name'))).toEqual(['cache', 'server:3000']);
  });
});
