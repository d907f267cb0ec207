import { encodeName } from '../beans/bean-list.ts';
import { queryOf } from '../http/parameters.ts';

/** What is shown of a bean: where the tree begins, and what of it is open. All of it is in the address. */
export interface TreeView {
  readonly name: string;
  /** The JSON Pointer that the tree begins at. */
  readonly at: string;
  /** How many levels are open by default; with `auto` as many as a page has room for. */
  readonly levels: number | 'all' | 'auto';
  /** Pointers that are open, or closed, contrary to `levels`. */
  readonly open: readonly string[];
  readonly close: readonly string[];
  /** The first entry shown of a container, by its pointer. */
  readonly pages: Readonly<Record<string, number>>;
}

/** The view of an address. `from=100:/a/b` names its container; `from=100` is for that of the parameter `of`, or the root of the tree. */
export function parseTreeView(name: string, url: string): TreeView {
  const query = queryOf(url);
  const at = query.get('at') ?? '';
  const levels = query.get('levels') ?? '';
  const pages: Record<string, number> = Object.create(null) as Record<string, number>;
  for (const text of query.getAll('from')) {
    const [, from, pointer = query.get('of') ?? at] = /^(\d{1,15})(?::(.*))?$/s.exec(text) ?? [];
    if (from !== undefined) pages[pointer] = Number(from);
  }
  return {
    name,
    at,
    levels: levels === 'all' ? levels : /^[1-8]$/.test(levels) ? Number(levels) : 'auto',
    open: query.getAll('open'),
    close: query.getAll('close'),
    pages,
  };
}

/** The parameters of a view. */
export function viewQuery({ at, levels, open, close, pages }: TreeView): Query {
  const from = Object.entries(pages).map(([pointer, first]) => `${first}:${pointer}`);
  return { at: at || undefined, levels: levels === 'auto' ? undefined : levels, open, close, from };
}

/** The address of a view. */
export const viewLink = (prefix: string, view: TreeView) => beanLink(prefix, view.name, 'html', viewQuery(view));

/** The view with a container opened or closed. */
export function withOpen({ open, close, ...view }: TreeView, pointer: string, isOpen: boolean): TreeView {
  const others = (pointers: readonly string[]) => pointers.filter((each) => each !== pointer);
  return isOpen
    ? { ...view, open: [...others(open), pointer], close: others(close) }
    : { ...view, open: others(open), close: [...others(close), pointer] };
}

/** The view with another first entry of a container. */
export function withPage({ pages, ...view }: TreeView, pointer: string, from: number): TreeView {
  const { [pointer]: _before, ...others } = pages;
  return { ...view, pages: from === 0 ? others : { ...others, [pointer]: from } };
}

/** The default view of a part of a bean. */
export const viewAt = (name: string, at: string): TreeView => ({
  name,
  at,
  levels: 'auto',
  open: [],
  close: [],
  pages: {},
});

/** Whether a pointer can stand in an address. */
export const fitsAddress = (pointer: string) =>
  pointer.length <= longestAddress && writeQuery({ at: pointer }).length <= longestAddress;

/** Encodes a value of a query. Slashes and colons are allowed there, and keep pointers readable. */
const encodeValue = (text: string) => encodeName(text).replaceAll('%2F', '/').replaceAll('%3A', ':');

/** The parameters of an address. A list repeats its parameter; undefined and empty values are left out. */
export type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>;

export function writeQuery(query: Query): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    (typeof value === 'object' ? value : [value])
      .filter((each) => each !== undefined && each !== '')
      .map((each) => `${name}=${encodeValue(String(each))}`),
  );
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`;
}

/** The address of a bean: its page, or its document. */
export const beanLink = (prefix: string, name: string, form: 'html' | 'json' | 'xml', query: Query = {}) =>
  `${prefix}/bean/${encodeName(name)}.${form}${writeQuery(query)}`;

/** Node refuses requests with more than 16 KiB of headers; an address that is longer than this is not offered. */
export const longestAddress = 8000;
