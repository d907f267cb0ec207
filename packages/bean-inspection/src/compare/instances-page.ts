import type { ListedBean } from '../beans/bean-index.ts';
import { beanLink } from '../browser/bean-links.ts';
import { type Html, html } from '../browser/html.ts';
import { icon, page, type Site, timeOf } from '../browser/page.ts';
import { value } from './compare-page.ts';
import {
  type Held,
  heldValues,
  isWithin,
  type PathValues,
  standingOut,
  type Told,
  type ValuesByPath,
} from './instance-values.ts';

export interface InstancesContent {
  readonly name: string;
  /** The part that is compared. */
  readonly at: string;
  /** What is known of the bean here. */
  readonly bean: ListedBean | undefined;
  /** What each instance said. */
  readonly told: readonly Told[];
  /** Of those that gave a document, in the same order. */
  readonly values: ValuesByPath;
  readonly milliseconds: number;
  /** The paths of values that always move, below the part. */
  readonly moved: ReadonlySet<string>;
  readonly showsEqual: boolean;
  readonly showsMoving: boolean;
}

/** With more columns, no value could be read. */
const mostColumns = 6;

/** An instance that takes longer is said to be slow. */
const slowMs = 500;

/** One bean in all instances: path by instance, with what differs highlighted and what is equal folded. */
export function instancesPage(site: Site, content: InstancesContent): string {
  const { prefix } = site;
  const { name, at, bean, told, milliseconds } = content;
  const answered = told.filter(({ text }) => text !== undefined);
  const again = beanLink(prefix, name, 'html', { at, instance: 'all' });
  const owner =
    bean !== undefined &&
    html`<li><a href="${prefix}/bean?q=${encodeURIComponent(bean.owner)}"><bdi dir="ltr">${bean.owner}</bdi></a></li>`;
  const main = html`<nav aria-label="Where you are"><ol class="trail"><li><a href="${prefix}/bean">Beans</a></li>${owner}<li aria-current="page"><bdi>${name}</bdi></li></ol></nav>
<header class="head"><div><div class="title"><h1><bdi>${name}</bdi></h1></div>
<dl class="facts">${bean !== undefined && html`<div><dt>Type</dt><dd><code>${bean.type}</code></dd></div>`}<div><dt>Asked</dt><dd>${counted(told.length, 'instance')}, ${answered.length} answered</dd></div><div><dt>Looked at</dt><dd class="num">${timeOf(new Date())} <span class="soft">in ${timeText(milliseconds)}</span></dd></div></dl></div>
<div class="row"><a class="button" href="${again}">${icon('again')}Look again</a><span class="pick" role="group" aria-label="Open as"><a href="${beanLink(prefix, name, 'json', { at, instance: 'all' })}">JSON</a><a href="${beanLink(prefix, name, 'xml', { at, instance: 'all' })}">XML</a></span></div></header>
${told.map((each) => each.text === undefined && html`<div class="note warn"><p><b><bdi>${each.instance.label}</bdi> is not compared.</b> It ${each.fault}.</p></div>`)}
${summary(content, answered.length)}
${answered.length > 0 && html`<section class="card" aria-label="Values by instance">${answered.length > mostColumns ? byValue(site, content, answered) : byInstance(site, content, answered)}</section>`}`;
  return page(site, { title: `${name}, all instances`, section: 'bean', main });
}

const counted = (count: number, noun: string) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
const timeText = (ms: number) => (ms < 1000 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1000).toFixed(1)} s`);

function summary({ values: { different, equalCount, isCut }, moved }: InstancesContent, answered: number): Html {
  const all = different.length + equalCount;
  const still = different.filter(({ pointer }) => !isWithin(pointer, moved)).length;
  if (answered < 2) return html`<div class="note"><p>There is nothing to compare with.</p></div>`;
  if (different.length === 0)
    return html`<div class="note"><p>All ${counted(all, 'value')} are equal in the ${answered} instances.</p></div>`;
  return html`<div class="tools"><p class="soft num">${still} of ${counted(all, 'value')} differ in the ${answered} instances that answered.${isCut && ' Only the first are shown.'}</p></div>`;
}

interface Row {
  readonly row: PathValues;
  readonly held: readonly Held[];
  /** The positions of those that stand out. */
  readonly odd: ReadonlySet<number>;
}

const rowsOf = (rows: readonly PathValues[], count: number): readonly Row[] =>
  rows.map((row) => {
    const held = heldValues(row);
    return { row, held, odd: standingOut(held, count) };
  });

function groupsOf({ values, moved, showsEqual, showsMoving }: InstancesContent, count: number) {
  const moving = values.different.filter(({ pointer }) => isWithin(pointer, moved));
  const different = rowsOf(
    values.different.filter((each) => !moving.includes(each)),
    count,
  );
  const standOut = different.filter(({ odd }) => odd.size > 0);
  return [
    { title: count > mostColumns ? 'Few stand out' : 'One stands out', rows: standOut, size: standOut.length },
    {
      title: 'Different everywhere',
      rows: different.filter(({ odd }) => odd.size === 0),
      size: different.length - standOut.length,
    },
    { title: 'Always moving', rows: showsMoving ? rowsOf(moving, count) : [], size: moving.length },
    { title: 'Equal', rows: showsEqual ? rowsOf(values.equal, count) : [], size: values.equalCount },
  ].filter(({ size }) => size > 0);
}

function group(
  { prefix }: Site,
  { name, at, showsEqual, showsMoving }: InstancesContent,
  title: string,
  size: number,
  columns: number,
) {
  const shown = { equal: showsEqual, always: showsMoving };
  const which = title === 'Equal' ? 'equal' : 'always';
  const asked = Object.entries({ ...shown, [which]: !shown[which] }).filter(([, isShown]) => isShown);
  const others = Object.fromEntries(asked.map(([parameter]) => [parameter, '1']));
  const link = beanLink(prefix, name, 'html', { at, instance: 'all', ...others });
  const fold =
    (title === 'Equal' || title === 'Always moving') &&
    html`<a class="push kind plain" href="${link}">${shown[which] ? 'Hide them' : 'Show them'}</a>`;
  return html`<tr role="row" class="group"><th role="rowheader" scope="rowgroup" colspan="${columns}"><div><b>${title}</b><span class="num">${size}</span>${fold}</div></th></tr>`;
}

/** Where a value is, with a link to it in one of those that have it. */
function path({ prefix }: Site, { name, at }: InstancesContent, { row, held }: Row, answered: readonly Told[]): Html {
  const there = held.find((each) => each.value !== undefined)?.by[0] ?? 0;
  const pointer = at + row.pointer;
  const link = beanLink(prefix, name, 'html', { at: pointer, instance: answered[there]?.instance.id });
  return html`<a class="path" href="${link}">${pointer === '' ? 'The whole bean' : pointer}</a>`;
}

function cell(held: PathValues['values'][number]): Html {
  if (held === undefined) return html`<span class="soft">not there</span>`;
  return typeof held === 'object' ? html`<span class="p">${counted(held.items, 'item')}</span>` : value(held);
}

function byInstance(site: Site, content: InstancesContent, answered: readonly Told[]): Html {
  const { prefix } = site;
  const heads = answered.map(({ instance: { id, label, pid }, milliseconds }) => {
    const link = beanLink(prefix, content.name, 'html', { at: content.at, instance: id });
    const isSlow = milliseconds > slowMs;
    return html`<th role="columnheader" scope="col"><a href="${link}"><bdi>${label}</bdi></a>${pid !== undefined && label !== `pid ${pid}` && html` <span class="soft num">pid ${pid}</span>`}<span class="state ${isSlow ? 'slow' : 'made'}">${isSlow && 'slow, '}${timeText(milliseconds)}</span></th>`;
  });
  const cells = ({ row, odd }: Row) =>
    row.values.map(
      (held, index) =>
        html`<td role="cell" class="val${odd.has(index) && ' odd'}" data-label="${answered[index]?.instance.label}">${cell(held)}</td>`,
    );
  const how = ({ odd, held }: Row) => {
    if (held.length === 1) return html`<span class="soft">equal</span>`;
    if (odd.size === 0) return html`<span class="soft">all</span>`;
    return html`<span class="tag mod">${[...odd].map((index) => answered[index]?.instance.label).join(', ')}</span>`;
  };
  return html`<table role="table" class="grouped across"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col" class="c-path">Path</th><th role="columnheader" scope="col" class="c-how">Differs</th>${heads}</tr></thead>
${groupsOf(content, answered.length).map(
  ({ title, rows, size }) => html`<tbody role="rowgroup">${group(site, content, title, size, answered.length + 2)}
${rows.map((each) => html`<tr role="row"><td role="cell">${path(site, content, each, answered)}</td><td role="cell" class="how">${how(each)}</td>${cells(each)}</tr>\n`)}</tbody>`,
)}</table>`;
}

/** A row for each value that occurs, the rarest first. */
function byValue(site: Site, content: InstancesContent, answered: readonly Told[]): Html {
  const { prefix } = site;
  const holders = ({ by }: Held) =>
    by.length > mostColumns
      ? html`${by.length} instances`
      : by.map((index) => {
          const { id = '', label = '' } = answered[index]?.instance ?? {};
          return html`<a class="act" href="${beanLink(prefix, content.name, 'html', { at: content.at, instance: id })}">${label}</a> `;
        });
  const rows = (each: Row) =>
    each.held.map(
      (held, index) =>
        html`<tr role="row"><td role="cell">${index === 0 ? path(site, content, each, answered) : html`<span class="hush">${each.row.pointer}</span>`}</td><td role="cell" class="val">${cell(held.value)}</td><td role="cell">${holders(held)} <span class="soft">${held.by.length} of ${answered.length}</span></td></tr>\n`,
    );
  return html`<table role="table" class="grouped hits"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col" class="c-path">Path</th><th role="columnheader" scope="col">Value</th><th role="columnheader" scope="col">Instances</th></tr></thead>
${groupsOf(content, answered.length).map(({ title, rows: members, size }) => html`<tbody role="rowgroup">${group(site, content, title, size, 3)}${members.map(rows)}</tbody>`)}</table>`;
}
