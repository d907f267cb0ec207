import { pluralize } from '../browser/amounts.ts';
import { type Html, hiddenFields, html } from '../browser/html.ts';
import { beanLink, type Query, writeQuery } from '../browser/links.ts';
import { icon, page, type Site, timeText } from '../browser/page.ts';
import { allInstances, withInstance } from '../http/address.ts';
import type { Instance } from '../instances/instances.ts';
import { type Comparison, type SnapshotSummary, snapshotLimits } from './snapshots.ts';
import { type DifferenceKind, isWithin, kindOf, maxRows, type Row, type Table } from './table.ts';

/** What the address of the page asks for. */
export interface CompareView {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly bean?: string | undefined;
  readonly kind?: DifferenceKind | undefined;
  /** Whether to show values that always change. */
  readonly always: boolean;
}

/** The beans that differ in what is to be shown. */
export const shownBeans = ({ beans }: Comparison, { kind, always }: CompareView) =>
  beans
    .map(({ rows, ...bean }) => ({
      ...bean,
      rows: rows.filter((row) => (always || !row.alwaysMoves) && (kind === undefined || kindOf(row) === kind)),
    }))
    .filter(({ rows, typeBefore }) => rows.length > 0 || typeBefore !== undefined);

/** A moment or an instance. */
interface Column {
  /** Stands before each value where the screen is narrow. */
  readonly label: string;
  readonly heading: Html;
}

interface ComparedBean {
  readonly name: string;
  readonly type: string | undefined;
  readonly rows: readonly Row[];
  /** The link to the differences as JSON Patch. */
  readonly patch?: string | false;
}

const comparePage = (site: Site, title: string, intro: Html, actions: Html, content: Html) =>
  page(site, {
    title,
    section: 'compare',
    main: html`<header class="head"><div><h1>Compare</h1><p>${intro}</p></div><div class="row">${actions}</div></header>
${content}`,
  });

/** Compares a snapshot with another, or with the current state. @param comparison undefined when there is no snapshot yet */
export function snapshotsPage(
  site: Site,
  snapshots: readonly SnapshotSummary[],
  view: CompareView,
  comparison: Comparison | undefined,
): string {
  const { prefix } = site;
  const patchOf = (query: Query) =>
    `${prefix}/compare.json-patch${writeQuery({ from: view.from, to: view.to, ...query })}`;
  const keep = html`<form class="row" method="post" action="${prefix}/compare"><label class="field">Name <input type="text" name="name" maxlength="${snapshotLimits.name}" autocomplete="off"></label>${hiddenFields({ bean: view.bean })}<button class="button">Keep a snapshot now</button></form>`;
  const intro = html`What is different between a kept snapshot and the application now.`;
  if (comparison === undefined) {
    const empty = html`<div class="card empty"><p><b>There is no snapshot yet.</b></p><p>Keep one now, use the application, then come back: this page shows what has changed. Snapshots hold masked values, of beans that exist. The last ${snapshotLimits.count} are kept until the application stops.</p></div>`;
    return comparePage(site, 'Compare', intro, keep, empty);
  }
  const { from, to, compared } = comparison;
  const beans = shownBeans(comparison, view).map(({ name, presence, rows, typeBefore, type }) => ({
    name,
    type: typeBefore === undefined ? type : `${typeBefore} → ${type}`,
    rows,
    patch: presence === 'both' && rows.length > 0 && patchOf({ bean: name }),
  }));
  const columns = [
    { label: 'before', heading: html`${labelOf(from)}` },
    { label: 'now', heading: html`${labelOf(to)}` },
  ];
  const tooLarge = [...new Set([...from.leftOut, ...to.leftOut])];
  const actions = html`${keep}<a class="button" href="${patchOf({ bean: view.bean })}">${icon('down')}JSON Patch</a>`;
  const content = html`${snapshotsForm(prefix, snapshots, view, comparison)}${summary(`${beans.length} of ${pluralize(compared, 'bean')} ${beans.length === 1 ? 'differs' : 'differ'}.`)}${
    tooLarge.length > 0 &&
    html`<div class="note"><p><b>Not compared, since ${tooLarge.length === 1 ? 'it is' : 'they are'} too large:</b> <bdi>${tooLarge.join(', ')}</bdi>. A snapshot of one bean can hold more.</p></div>`
  }${table(prefix, columns, beans, true)}`;
  return comparePage(site, 'Compare', intro, actions, content);
}

const summary = (text: string) => html`<p class="tools soft num" role="status">${text}</p>`;

const labelOf = ({ id, name, bean, time }: SnapshotSummary) =>
  `${id === undefined ? 'Now' : (name ?? `snapshot ${id}`)}${bean === undefined ? '' : ` of ${bean}`}, ${timeText(new Date(time))}`;

function snapshotsForm(
  prefix: string,
  snapshots: readonly SnapshotSummary[],
  { bean, kind, always }: CompareView,
  { from, to, beans }: Comparison,
): Html {
  const option = (value: string, words: string, isChosen: boolean) =>
    html`<option value="${value}"${isChosen && html` selected`}>${words}</option>`;
  const moments = (chosen: SnapshotSummary) =>
    snapshots.map((each) => option(each.id ?? '', labelOf(each), each.id === chosen.id));
  const kinds = (['changed', 'added', 'removed'] as const).map((each) => option(each, each, each === kind));
  const moving = beans.reduce((sum, { rows }) => sum + rows.filter(({ alwaysMoves }) => alwaysMoves).length, 0);
  const fields = html`<label class="field">From <select name="from">${moments(from)}</select></label><label class="field">To <select name="to"><option value="">now</option>${moments(to)}</select></label><label class="field">Change <select name="kind"><option value="">any</option>${kinds}</select></label>${hiddenFields({ bean })}${bean !== undefined && html`<span>Only <bdi>${bean}</bdi>. <a href="${prefix}/compare${writeQuery({ from: from.id, to: to.id })}">All beans</a></span>`}`;
  return optionsForm(`${prefix}/compare`, fields, moving, always);
}

/** The script submits it at once; without JavaScript, there is a button. */
const optionsForm = (action: string, fields: Html, moving: number, always: boolean) =>
  html`<form class="tools at-once" action="${action}">${fields}${(moving > 0 || always) && html`<label class="field"><input type="checkbox" name="always" value="1"${always && html` checked`}>What always moves <span class="num">(${moving})</span></label>`}<button class="button">Compare</button></form>`;

/** The document of a bean in an instance, or why there is none. */
export interface InstanceDocument {
  readonly instance: Pick<Instance, 'id' | 'label' | 'pid'>;
  readonly milliseconds: number;
  /** The document; undefined where there is none. */
  readonly text?: string | undefined;
  /** Why there is none. */
  readonly fault?: string | undefined;
  readonly isTruncated?: boolean;
}

export interface InstancesContent {
  readonly name: string;
  /** The part that is compared. */
  readonly at: string;
  readonly type: string | undefined;
  readonly documents: readonly InstanceDocument[];
  /** Of the instances that returned a document, in the same order. */
  readonly table: Table;
  /** The paths of values that always change, below the part. */
  readonly moved: ReadonlySet<string>;
  readonly always: boolean;
}

/** One bean, or a part of it, in all instances. */
export function instancesPage(
  site: Site,
  { name, at, type, documents, moved, always, ...compared }: InstancesContent,
): string {
  const { different, equal, isCut } = compared.table;
  const linkTo = (id: string, form: 'html' | 'json' | 'xml') =>
    beanLink(withInstance(site.prefix, id), name, form, { at });
  const answered = documents.filter(({ text }) => text !== undefined);
  const columns = answered.map(({ instance: { id, label, pid }, milliseconds }) => ({
    label,
    heading: html`<a href="${linkTo(id, 'html')}"><bdi>${label}</bdi></a>${pid !== undefined && label !== `pid ${pid}` && html` <span class="soft num">pid ${pid}</span>`} <span class="soft num">${Math.max(1, Math.round(milliseconds))} ms</span>`,
  }));
  const still = different.filter(({ pointer }) => !isWithin(pointer, moved));
  const rows = (always ? different : still).map((row) => ({ ...row, pointer: at + row.pointer }));
  const intro = html`<bdi>${name}</bdi>${at !== '' && html` at <code>${at}</code>`} in all instances, where they are not the same.`;
  const actions = html`<span class="pick" role="group" aria-label="Open as"><a href="${linkTo(allInstances, 'json')}">JSON</a><a href="${linkTo(allInstances, 'xml')}">XML</a></span>`;
  const fields = html`${hiddenFields({ at: at || undefined })}`;
  const moving = different.length - still.length;
  const content = html`${optionsForm(beanLink(withInstance(site.prefix, allInstances), name, 'html'), fields, moving, always)}${
    columns.length > 1 &&
    summary(
      `${still.length} of ${pluralize(different.length + equal, 'value')} differ in the ${answered.length} instances that answered.${isCut ? ' Only the first are shown.' : ''}`,
    )
  }${documents.map(
    ({ instance: { label }, fault }) =>
      fault !== undefined &&
      html`<div class="note warn"><p><b><bdi>${label}</bdi> is not compared.</b> It ${fault}.</p></div>`,
  )}${
    columns.length > 1
      ? table(site.prefix, columns, rows.length > 0 ? [{ name, type, rows }] : [], false)
      : html`<div class="note"><p>There is nothing to compare with.</p></div>`
  }`;
  return comparePage(site, `${name}, all instances`, intro, actions, content);
}

/** @param isOverTime whether the two columns are before and after */
function table(prefix: string, columns: readonly Column[], beans: readonly ComparedBean[], isOverTime: boolean): Html {
  if (beans.length === 0) return html`<div class="card empty"><p><b>Nothing differs.</b></p></div>`;
  let left = maxRows;
  const groups: Html[] = [];
  for (const bean of beans) {
    const rows = bean.rows.slice(0, Math.max(0, left));
    if (left > 0) groups.push(group(prefix, columns, { ...bean, rows }, isOverTime));
    left -= bean.rows.length;
  }
  return html`<section class="card" aria-label="Differences"><table role="table" class="grouped compared"><thead role="rowgroup"><tr role="row">${isOverTime && html`<th role="columnheader" scope="col" class="c-what">Change</th>`}<th role="columnheader" scope="col" class="c-path">Path</th>${columns.map(({ heading }) => html`<th role="columnheader" scope="col">${heading}</th>`)}</tr></thead>
${groups}</table></section>${left < 0 && html`<p class="soft">And ${-left} more.</p>`}`;
}

const marks = { changed: ['mod', '~ Changed'], added: ['add', '+ Added'], removed: ['cut', '− Removed'] } as const;

function group(
  prefix: string,
  columns: readonly Column[],
  { name, type, rows, patch }: ComparedBean,
  isOverTime: boolean,
): Html {
  const head = html`<tr role="row" class="group"><th role="rowheader" scope="rowgroup" colspan="${columns.length + (isOverTime ? 2 : 1)}"><div><b><a href="${beanLink(prefix, name, 'html')}"><bdi>${name}</bdi></a></b><span class="kind">${type}</span>${patch && html`<a class="push kind plain" href="${patch}" aria-label="JSON Patch for ${name}">JSON Patch</a>`}</div></th></tr>`;
  const written = rows.map((row) => {
    const kind = isOverTime ? kindOf(row) : undefined;
    const [mark, words] = kind === undefined ? [''] : marks[kind];
    const path = row.pointer || 'The whole bean';
    // What was removed is no longer there to be opened.
    const link =
      kind === 'removed'
        ? path
        : html`<a class="path" href="${beanLink(prefix, name, 'html', { at: row.pointer })}">${path}</a>`;
    const cells = row.values.map((compared, index) => {
      const absent = !isOverTime && html`<span class="soft">not there</span>`;
      return html`<td role="cell" class="val${compared !== undefined && ` ${mark}`}" data-label="${columns[index]?.label}">${compared === undefined ? absent : value(compared)}</td>`;
    });
    return html`<tr role="row">${words !== undefined && html`<td role="cell"><span class="tag ${mark}">${words}</span></td>`}<td role="cell" class="path">${link}</td>${cells}</tr>
`;
  });
  return html`<tbody role="rowgroup">${head}
${written}</tbody>
`;
}

/** How many characters of a value are shown. */
const longestValue = 150;

const cut = (text: string) => (text.length > longestValue ? `${text.slice(0, longestValue)}…` : text);

/** A value of a document, in one line. */
function value(given: unknown): Html {
  const json = cut(JSON.stringify(given, null, 1).replaceAll(/\n */g, ' '));
  if (typeof given === 'string') return html`<span class="s" dir="auto">${json}</span>`;
  if (typeof given === 'object' && given !== null) return html`<span class="p">${json}</span>`;
  return html`<span class="${typeof given === 'number' ? 'n num' : 'w'}">${json}</span>`;
}
