import { createHash } from 'node:crypto';
import type { Outline, OutlineEntry } from '@jig/inspect';
import { encodeName } from '../beans/bean-list.ts';
import { pluralize } from './amounts.ts';
import { type Html, hiddenFields, html } from './html.ts';
import {
  beanLink,
  fitsAddress,
  longestAddress,
  type TreeView,
  viewAt,
  viewLink,
  viewQuery,
  withOpen,
  withPage,
} from './links.ts';
import { icon } from './page.ts';

/** How many entries of a container are shown at once. */
export const pageLength = 100;

/** A row of the tree: an entry, or links to the other entries of a long container. */
export type TreeRow = {
  /** The id of the element; it stays the same while the page shows the same pointer. */
  readonly id: string;
  readonly level: number;
} & (EntryPart | { readonly pagesOf: Outline });

interface EntryPart {
  readonly entry: OutlineEntry;
  readonly position: number;
  readonly size: number;
}

export interface RowContext {
  readonly prefix: string;
  readonly view: TreeView;
  /** The pointers that are recorded; undefined where nothing can be. */
  readonly watch?: { readonly pointers: ReadonlySet<string> } | undefined;
}

/** The rows of an outline in the order of the page. */
export function treeRows(outline: Outline, { close }: Pick<TreeView, 'close'>, level = 1): TreeRow[] {
  const rows: TreeRow[] = [];
  const ids = new Set<string>();
  const collect = (opened: Outline, at: number) => {
    const { from, entries, hasMore, pointer, size = entries.length } = opened;
    for (const [index, { entries: inside, ...closed }] of ordered(opened).entries()) {
      const isOpen = inside !== undefined && !close.includes(closed.pointer);
      const entry = isOpen ? { ...closed, entries: inside } : closed;
      rows.push({ id: uniqueId(entry.pointer, ids), level: at, entry, position: from + index + 1, size });
      if (isOpen) collect(inside, at + 1);
    }
    if (hasMore || from > 0) rows.push({ id: uniqueId(`${pointer}/ pages`, ids), level: at, pagesOf: opened });
  };
  collect(outline, level);
  return rows;
}

/** Sorts an object: simple values, containers, then internal entries. Lists, and objects shown in pages, keep their order. */
const ordered = ({ kind, from, hasMore, entries }: Outline) =>
  kind !== 'object' || from > 0 || hasMore ? entries : [...entries].sort((a, b) => rank(a) - rank(b));

const containers = ['object', 'array', 'map', 'set', 'reference'];

function rank(entry: OutlineEntry): number {
  const { kind } = entry;
  const isLater = kind === 'function' || kind === 'other' || kind === 'limit';
  return (isInternal(entry) ? 3 : 0) + (isLater ? 2 : containers.includes(kind) ? 1 : 0);
}

const isInternal = ({ key, kind }: OutlineEntry) =>
  key.startsWith('_') || kind === 'null' || (kind !== 'number' && /listeners?$/i.test(key));

/** About how many rows a page shows by default. */
const maxRows = 30;
/** A larger container stays closed. */
const maxOpenSize = 20;
const maxLevels = 9;

/**
 * Selects the containers that are open by default, level by level, while the page has room for their rows. A container with a
 * single entry is always opened, except in a long list; an internal one never. What the user opens or closes is not counted, so
 * that no other container opens or closes with it.
 */
export function openByDefault(): (opened: readonly Outline[]) => readonly OutlineEntry[] {
  let rows = 0;
  let levels = 0;
  return (opened) => {
    for (const { entries } of opened) rows += entries.length;
    let room = maxRows - rows;
    if (++levels > maxLevels) return [];
    return opened.flatMap((outline) => {
      const isList = outline.kind !== 'object' && outline.entries.length > maxOpenSize;
      return ordered(outline).filter((entry) => {
        const { size = 0, kind, name, canOpen } = entry;
        const isContainer = name === undefined && containers.includes(kind);
        if (!canOpen || !isContainer || (outline.kind === 'object' && isInternal(entry))) return false;
        if ((size > 1 || isList) && size > Math.min(room, maxOpenSize)) return false;
        room -= size;
        return true;
      });
    });
  };
}

/** The pointers of all open containers. */
export const openPointers = ({ entries }: Outline): string[] =>
  entries.flatMap(({ pointer, entries: inside }) => (inside === undefined ? [] : [pointer, ...openPointers(inside)]));

/** A hash, since pointers can be very long; with a number, since two keys of a map can have the same pointer. */
function uniqueId(pointer: string, ids: Set<string>): string {
  const hash = `r${createHash('sha1').update(pointer).digest('base64url').slice(0, 12)}`;
  let id = hash;
  for (let count = 2; ids.has(id); count++) id = `${hash}-${count}`;
  ids.add(id);
  return id;
}

/** Differs when the row must be written again; the rows inside it have their own. */
export function rowState(row: TreeRow): string {
  if ('pagesOf' in row) {
    const { from, size, hasMore, entries, isUnreached } = row.pagesOf;
    return `${from} ${size} ${hasMore} ${entries.length} ${isUnreached}`;
  }
  const { kind, type, size, preview, canOpen, entries, target, name } = row.entry;
  return `${kind}\0${type}\0${size}\0${entries === undefined ? preview : ''}\0${canOpen}\0${entries !== undefined}\0${target}\0${name}\0${row.position}\0${row.size}`;
}

export const treeRow = (row: TreeRow, context: RowContext): Html =>
  'pagesOf' in row ? pagesRow(row.id, row.level, row.pagesOf, context) : entryRow(row, context);

function entryRow(row: Extract<TreeRow, EntryPart>, context: RowContext): Html {
  const { id, entry, level, position, size } = row;
  const { key, pointer, kind, entries } = entry;
  const isAddressable = fitsAddress(pointer);
  const isOpen = entries !== undefined;
  const canToggle = kind !== 'limit' && isAddressable && (isOpen || entry.canOpen);
  return html`<tr role="row" id="${id}" aria-level="${level}" aria-posinset="${position}" aria-setsize="${size}"${canToggle && html` aria-expanded="${isOpen ? 'true' : 'false'}"`} tabindex="-1"><td role="gridcell" class="key"><div>${indent(level)}${
    canToggle ? toggle({ id, key, pointer, isOpen }, context) : html`<span class="twist"></span>`
  }<b>${key === '' ? '""' : visible(short(key, longestKey))}</b>${key.length > longestKey && html` <span class="kind">${characters(key.length)}</span>`}</div></td><td role="gridcell" class="val">${shownValue(entry, context)}</td><td role="gridcell" class="type kind num">${typeOf(entry)}</td><td role="gridcell">${menu(entry, context)}</td></tr>
`;
}

/** Elements, since the content security policy forbids style attributes. */
const indent = (level: number) => Array.from({ length: level - 1 }, () => html`<i></i>`);

/** Longer keys are cut: one of 64 KB would hide all others. */
const longestKey = 120;
/** In labels for screen readers. */
const longestLabel = 60;

interface Toggle extends Pick<OutlineEntry, 'key' | 'pointer'> {
  readonly id: string;
  readonly isOpen: boolean;
}

function toggle({ id, key, pointer, isOpen }: Toggle, { prefix, view }: RowContext): Html {
  const address = viewLink(prefix, withOpen(view, pointer, !isOpen));
  const link = address.length > longestAddress ? viewLink(prefix, viewAt(view.name, pointer)) : address;
  return html`<a class="twist" href="${link}#${id}" aria-label="${isOpen ? 'Close' : 'Open'} ${visible(short(key, longestLabel))}">${icon('twist')}</a>`;
}

/** The classes of values that are shown as they are. */
const plainClasses = {
  date: 's',
  number: 'n num',
  bigint: 'n num',
  boolean: 'w',
  null: 'w',
  symbol: 'w',
  binary: 'p',
  other: 'p',
} as const;

const isPlain = (kind: OutlineEntry['kind']): kind is keyof typeof plainClasses => Object.hasOwn(plainClasses, kind);

/** The cell of a value. Markers are tags, so that no string can look like one. */
function shownValue(entry: OutlineEntry, { prefix, view }: RowContext): Html {
  const { kind, preview, pointer, size, isCut, target, name } = entry;
  const linkTo = (at: string, title: Html | string) =>
    fitsAddress(at) && html`<a href="${viewLink(prefix, viewAt(view.name, at))}">${title}</a>`;
  const count = kind === 'string' && size !== undefined && ` ${size.toLocaleString('en')}`;
  const whole = isCut && html` <span class="act">${linkTo(pointer, html`Show all${count}`)}</span>`;
  if (isPlain(kind)) return html`<span class="${plainClasses[kind]}">${visible(preview)}${isCut && '…'}</span>${whole}`;
  switch (kind) {
    case 'string':
      return html`<span class="s" dir="auto">"${visible(preview)}${isCut ? '…' : '"'}</span>${whole}`;
    case 'function':
      return html`<span class="w">function</span> <span class="p">${visible(functionName(preview))}</span>`;
    case 'masked':
      return html`<span class="tag">masked</span><span class="p" aria-hidden="true">••••••</span>`;
    case 'closed':
      return html`<span class="tag">closed</span>`;
    case 'threw':
      return html`<span class="tag bad">threw</span><span class="err">${visible(threwMessage(preview))}</span>`;
    case 'reference':
      return html`<span class="tag">reference</span>${target !== undefined && linkTo(target, visible(target === '' ? '/' : target))}`;
    case 'limit':
      return html`<span class="tag warn">${visible(limitName(preview))}</span>${entry.canOpen && linkTo(pointer, entry.type === 'getter' ? 'Run it' : 'Look from here')}`;
    case 'object':
    case 'array':
    case 'map':
    case 'set':
      return html`${name !== undefined && html`<span class="tag">bean</span><a href="${beanLink(prefix, name, 'html')}">${visible(short(name, longestKey))}</a> `}<span class="p">${visible(preview)}</span>${entry.hasPrivateFields && html` <span class="soft">${entry.size === 0 ? 'private fields cannot be seen' : 'and private fields'}</span>`}`;
  }
}

/** The text of a marker as in documents: `[Function name]`, `[Depth limit]`, `[New Name]`, `[Threw Name: message]`. */
const functionName = (marker: string) => marker.replace(/^\[Function ?(.*)\]$/s, '$1');
export const limitName = (marker: string) => marker.charAt(1).toLowerCase() + marker.slice(2, -1);
export const threwMessage = (marker: string) => marker.replace(/^\[Threw (.*)\]$/s, '$1');

const nouns: Readonly<Partial<Record<OutlineEntry['kind'], readonly [one: string, several?: string]>>> = {
  object: ['key'],
  array: ['item'],
  map: ['entry', 'entries'],
  set: ['item'],
  binary: ['byte'],
};

/** The type and the size of an entry in words. */
export function typeOf({ kind, type, size }: Pick<OutlineEntry, 'kind' | 'type' | 'size'>): Html {
  if (kind === 'masked' || kind === 'closed') return html`hidden`;
  if (kind === 'threw') return html`getter`;
  const isPlain = kind === 'string' || kind === 'number' || kind === 'bigint' || kind === 'boolean' || kind === 'null';
  const name = isPlain || type === 'Object' || type === 'Array' || type === '' ? kind : type;
  return html`<bdi dir="ltr">${visible(short(name, longestKey))}</bdi>${kind === 'reference' ? ', seen above' : sizeOf(kind, size)}`;
}

function sizeOf(kind: OutlineEntry['kind'], size: number | undefined): string {
  if (size === undefined) return '';
  if (kind === 'string') return size > 150 ? `, ${characters(size)}` : '';
  const [one, several] = nouns[kind] ?? [];
  return one === undefined ? '' : `, ${pluralize(size, one, several)}`;
}

const characters = (count: number) => pluralize(count, 'character');

/** What has a number over time: a number, a boolean, or the size of a container. */
const watchable: ReadonlySet<OutlineEntry['kind']> = new Set(['number', 'boolean', 'object', 'array', 'map', 'set']);

/** A button of the shared forms of the page (`watchForms`). */
const watchItem = (pointer: string, isWatched: boolean) =>
  html`<li><button form="${isWatched ? 'remove' : 'watch'}" name="at" value="${pointer}">${isWatched ? 'Stop watching' : 'Watch this value'}</button></li>`;

function menu({ pointer, kind }: OutlineEntry, { prefix, view, watch }: RowContext): Html | false {
  if (!fitsAddress(pointer)) return false;
  const document = (form: 'json' | 'xml') => `${beanLink(prefix, view.name, form, { at: pointer })}&pretty`;
  return html`<details class="menu"><summary class="ghost" aria-label="Actions for ${visible(short(pointer, longestLabel))}">${icon('more')}</summary><ul><li class="of">${visible(pointer)}</li><li hidden><button type="button" data-copy="${encodeName(pointer)}">Copy pointer</button></li><li hidden><button type="button" data-copy-link>Copy link</button></li>${watch !== undefined && watchable.has(kind) && watchItem(pointer, watch.pointers.has(pointer))}<li><a href="${viewLink(prefix, viewAt(view.name, pointer))}">Look from here</a></li><li><a href="${document('json')}">Open as JSON</a></li><li><a href="${document('xml')}">Open as XML</a></li></ul></details>`;
}

/** Links to the entries of a long container that are not shown. */
function pagesRow(id: string, level: number, outline: Outline, { prefix, view }: RowContext): Html {
  const { pointer, from, entries, hasMore, size = from + entries.length } = outline;
  const step = Math.max(entries.length, pageLength);
  const link = (first: number, title: string) =>
    html`<a href="${viewLink(prefix, withPage(view, pointer, first))}#${id}">${title}</a>`;
  const last = Math.max(0, size - pageLength);
  return html`<tr role="row" id="${id}" aria-level="${level}" class="pages" tabindex="-1"><td role="gridcell" colspan="4"><div>${indent(level)}<div class="row"><span class="soft num">${rangeOf(outline, size)}</span>${
    from > 0 && [link(0, `First ${pageLength}`), ' ', link(Math.max(0, from - step), `Previous ${pageLength}`)]
  }${hasMore && [link(from + entries.length, `Next ${pageLength}`), ' ', link(last, `Last ${pageLength}`)]}<form action="${beanLink(prefix, view.name, 'html')}">${hiddenFields(
    { ...viewQuery(withPage(view, pointer, 0)), of: pointer || undefined },
  )}<label class="soft" for="${id}-from">From item</label><input id="${id}-from" name="from" type="number" min="0" max="${Math.max(0, size - 1)}" value="${from}"><button class="button small">Go</button></form></div></div></td></tr>
`;
}

function rangeOf({ from, entries, isUnreached }: Outline, size: number): string {
  const all = size.toLocaleString('en');
  if (from === 0) return `First ${entries.length.toLocaleString('en')} of ${all}`;
  const first = (from + 1).toLocaleString('en');
  if (isUnreached) return `Item ${first} of ${all} was not reached in time`;
  return entries.length === 0
    ? `None from ${first} of ${all}`
    : `${first} to ${(from + entries.length).toLocaleString('en')} of ${all}`;
}

const short = (text: string, longest: number) => (text.length > longest ? `${text.slice(0, longest)}…` : text);

/** Characters that a page would drop or that cannot be seen, as escapes; line breaks and tabs too, since a row is one line of text. */
export const visible = (text: string) =>
  text.replace(
    /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu,
    (character) => escapes[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
