import { beanLink, writeQuery } from '../browser/bean-links.ts';
import { type Html, html } from '../browser/html.ts';
import { icon, page, type Site, timeText } from '../browser/page.ts';
import { type BeanComparison, type Comparison, type SnapshotSummary, snapshotLimits } from './snapshots.ts';
import { type Difference, type DifferenceKind, mostRows } from './table.ts';

/** What the address of the page asks for. */
export interface CompareView {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly bean?: string | undefined;
  readonly kind?: DifferenceKind | undefined;
  /** Whether to show what always moves. */
  readonly always: boolean;
}

export interface CompareContent {
  readonly snapshots: readonly SnapshotSummary[];
  readonly view: CompareView;
  /** Undefined when there is no snapshot yet. */
  readonly comparison: Comparison | undefined;
}

/** What differs between a snapshot and now, or another snapshot. */
export function comparePage(site: Site, { snapshots, view, comparison }: CompareContent): string {
  const { prefix } = site;
  const main = html`<header class="head"><div><h1>Compare</h1><p>What is different between a kept snapshot and the application now.</p></div>
<div class="row">${keepForm(site, view)}${comparison !== undefined && html`<a class="button" href="${patchLink(prefix, view)}">${icon('down')}JSON Patch</a>`}</div></header>
${comparison === undefined ? emptyState() : compared(site, { snapshots, view, comparison })}`;
  return page(site, { title: 'Compare', section: 'compare', main });
}

const keepForm = ({ prefix }: Site, { bean }: CompareView) =>
  html`<form class="row" method="post" action="${prefix}/compare"><label class="field">Name <input type="text" name="name" maxlength="${snapshotLimits.name}" autocomplete="off"></label>${bean !== undefined && html`<input type="hidden" name="bean" value="${bean}">`}<button class="button">Keep a snapshot now</button></form>`;

const emptyState = () =>
  html`<div class="card empty"><p><b>There is no snapshot yet.</b></p><p>Keep one now, use the application, then come back: this page shows what has changed. Snapshots hold masked values, of beans that exist. The last ${snapshotLimits.count} are kept until the application stops.</p></div>`;

/** With the parameters that the page has already. */
const compareLink = (prefix: string, { from, to, bean, kind, always }: CompareView) =>
  `${prefix}/compare${writeQuery({ from, to, bean, kind, always: always ? '1' : undefined })}`;

const patchLink = (prefix: string, { from, to, bean }: CompareView) =>
  `${prefix}/compare.json-patch${writeQuery({ from, to, bean })}`;

function compared(site: Site, content: CompareContent & { readonly comparison: Comparison }): Html {
  const { comparison, view } = content;
  const all = comparison.beans.map((bean) => ({ bean, rows: rowsOf(bean) }));
  const isMoving = ({ alwaysMoves }: Row) => alwaysMoves && !view.always;
  const moving = all.reduce((sum, { rows }) => sum + rows.filter(isMoving).length, 0);
  const visible = all
    .map(({ bean, rows }) => ({ bean, rows: rows.filter((row) => !isMoving(row)) }))
    .filter(({ rows }) => rows.length > 0);
  const shown = visible
    .map(({ bean, rows }) => ({ bean, rows: rows.filter(({ kind }) => view.kind === undefined || kind === view.kind) }))
    .filter(({ rows }) => rows.length > 0);
  const counts = countKinds(visible.flatMap(({ rows }) => rows));
  return html`${pickSnapshots(site, content)}
<div class="tools">${pickKind(site, view, counts)}<p class="soft num">${visible.length} of ${plural(comparison.compared, 'bean')} ${visible.length === 1 ? 'differs' : 'differ'}. ${movingSentence(site, view, moving)}</p></div>
${leftOutNotice(comparison)}
${shown.length === 0 ? html`<div class="card empty"><p><b>Nothing differs${view.kind !== undefined && ' in this way'}.</b></p></div>` : table(site, content, shown)}`;
}

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

const labelOf = ({ id, name, bean, time }: SnapshotSummary) =>
  `${name ?? `snapshot ${id}`}${bean === undefined ? '' : ` of ${bean}`}, ${timeText(new Date(time))}`;

function pickSnapshots({ prefix }: Site, { snapshots, view, comparison }: CompareContent): Html {
  const chosen = comparison?.from.id;
  const chosenTo = comparison?.to.id;
  const option = (snapshot: SnapshotSummary, isChosen: boolean) =>
    html`<option value="${snapshot.id}"${isChosen && html` selected`}>${labelOf(snapshot)}</option>`;
  return html`<form class="tools" action="${prefix}/compare"><label class="field">From <select name="from">${snapshots.map((each) => option(each, each.id === chosen))}</select></label><label class="field">To <select name="to"><option value="">now</option>${snapshots.map((each) => option(each, each.id === chosenTo))}</select></label>${view.bean !== undefined && html`<input type="hidden" name="bean" value="${view.bean}">`}<button class="button">Compare</button>${view.bean !== undefined && html`<p>Only <bdi>${view.bean}</bdi>. <a href="${compareLink(prefix, { ...view, bean: undefined })}">All beans</a></p>`}</form>`;
}

const kindNames = { changed: 'Changed', added: 'Added', removed: 'Removed' } as const;
const kinds = Object.keys(kindNames) as DifferenceKind[];

type Counts = Readonly<Record<DifferenceKind, number>>;

function countKinds(rows: readonly Row[]): Counts {
  const count = (wanted: DifferenceKind) => rows.filter(({ kind }) => kind === wanted).length;
  return { changed: count('changed'), added: count('added'), removed: count('removed') };
}

function pickKind({ prefix }: Site, view: CompareView, counts: Counts): Html {
  const total = kinds.reduce((sum, kind) => sum + counts[kind], 0);
  const pick = (kind: DifferenceKind | undefined, name: string, count: number) =>
    html`<a href="${compareLink(prefix, { ...view, kind })}"${view.kind === kind && html` aria-current="page"`}>${name} <span class="num">${count}</span></a>`;
  return html`<nav class="pick" aria-label="Kind of change">${pick(undefined, 'All', total)}${kinds.map((kind) => pick(kind, kindNames[kind], counts[kind]))}</nav>`;
}

function movingSentence({ prefix }: Site, view: CompareView, moving: number): Html | false {
  if (view.always)
    return html`<a href="${compareLink(prefix, { ...view, always: false })}">Leave out what always moves</a>`;
  if (moving === 0) return false;
  const words = moving === 1 ? '1 value that always moves is' : `${moving} values that always move are`;
  return html`${words} left out. <a href="${compareLink(prefix, { ...view, always: true })}">Show them</a>`;
}

function leftOutNotice({ from, to }: Comparison): Html | false {
  const names = [...new Set([...from.leftOut, ...to.leftOut])];
  if (names.length === 0) return false;
  return html`<div class="note"><p><b>Not compared, since ${names.length === 1 ? 'it is' : 'they are'} too large:</b> <bdi>${names.join(', ')}</bdi>. A snapshot of one bean can hold more.</p></div>`;
}

/** A difference, or the type of a bean, which is not part of its document. */
interface Row extends Difference {
  readonly alwaysMoves: boolean;
  readonly isType?: boolean;
}

function rowsOf({ type, typeBefore, differences }: BeanComparison): readonly Row[] {
  if (typeBefore === undefined) return differences;
  return [
    {
      kind: 'changed',
      pointer: '',
      before: typeBefore,
      now: type,
      alwaysMoves: false,
      isType: true,
    },
    ...differences,
  ];
}

interface ShownBean {
  readonly bean: BeanComparison;
  readonly rows: readonly Row[];
}

function table(site: Site, { comparison, view }: CompareContent, shown: readonly ShownBean[]): Html {
  let left = mostRows;
  const groups: Html[] = [];
  for (const { bean, rows } of shown) {
    if (left > 0) groups.push(group(site, view, bean, rows.slice(0, left)));
    left -= rows.length;
  }
  const { from, to } = comparison ?? {};
  return html`<section class="card" aria-label="Differences"><table role="table" class="grouped diff"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col" class="c-what">Change</th><th role="columnheader" scope="col" class="c-path">Path</th><th role="columnheader" scope="col">${from === undefined ? 'Before' : labelOf(from)}</th><th role="columnheader" scope="col">${to?.id === undefined ? `Now, ${to === undefined ? '' : timeText(new Date(to.time))}` : labelOf({ ...to, id: to.id })}</th></tr></thead>
${groups}</table></section>${left < 0 && html`<p class="soft">And ${-left} more; the JSON Patch has all.</p>`}`;
}

function group(site: Site, view: CompareView, bean: BeanComparison, rows: readonly Row[]): Html {
  const { prefix } = site;
  const { name, type } = bean;
  const patch =
    bean.presence === 'both' &&
    bean.differences.length > 0 &&
    html`<a class="push kind plain" href="${patchLink(prefix, { ...view, bean: name })}" aria-label="JSON Patch for ${name}">JSON Patch</a>`;
  return html`<tbody role="rowgroup"><tr role="row" class="group"><th role="rowheader" scope="rowgroup" colspan="4"><div><b><a href="${beanLink(prefix, name, 'html')}"><bdi>${name}</bdi></a></b><span class="kind">${type}</span>${patch}</div></th></tr>
${rows.map((row) => differenceRow(site, bean, row))}</tbody>
`;
}

const marks = { changed: ['mod', '~ Changed'], added: ['add', '+ Added'], removed: ['cut', '− Removed'] } as const;

function differenceRow({ prefix }: Site, { name }: BeanComparison, row: Row): Html {
  const { kind, pointer } = row;
  const [mark, words] = marks[kind];
  const before = row.before !== undefined;
  const now = row.now !== undefined;
  return html`<tr role="row"><td role="cell"><span class="tag ${mark}">${words}</span></td><td role="cell">${path(prefix, name, row)}</td><td role="cell" class="val before${before && ` ${mark}`}">${before && value(row.before, row)}</td><td role="cell" class="val after${now && ` ${mark}`}">${now && value(row.now, row)}</td></tr>
`;

  /** What was removed is no longer there to be opened. */
  function path(prefixed: string, bean: string, { isType }: Row): Html {
    if (isType === true) return html`Type of the bean`;
    if (pointer === '') return html`The whole bean`;
    if (kind === 'removed') return html`<span class="path">${pointer}</span>`;
    return html`<a class="path" href="${beanLink(prefixed, bean, 'html', { at: pointer })}">${pointer}</a>`;
  }
}

/** How many characters of a value are shown. */
const longestValue = 150;

const cut = (text: string) => (text.length > longestValue ? `${text.slice(0, longestValue)}…` : text);

/** A value of a document. */
export function value(given: unknown, { isType = false }: Partial<Row> = {}): Html {
  if (isType) return html`<span class="p">${String(given)}</span>`;
  const json = JSON.stringify(given);
  if (json.startsWith('"')) return html`<span class="s" dir="auto">${cut(json)}</span>`;
  if (json.startsWith('{') || json.startsWith('[')) return html`<span class="p">${preview(json)}</span>`;
  return html`<span class="${/^[-\d]/.test(json) ? 'n num' : 'w'}">${cut(json)}</span>`;
}

const tokens = /"(?:[^"\\]|\\.)*"|\{\}|\[\]|[[\]{},:]|[^"[\]{},:]+/gy;

/** The beginning of a container, with spaces in it. */
function preview(json: string): string {
  const spaced = json.slice(0, longestValue).replace(tokens, (token) => {
    if (token === '{' || token === '[') return `${token} `;
    if (token === '}' || token === ']') return ` ${token}`;
    return token === ',' || token === ':' ? `${token} ` : token;
  });
  return json.length > longestValue ? `${spaced}…` : spaced;
}
