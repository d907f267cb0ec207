import { beanLink } from '../browser/bean-links.ts';
import { type Html, html } from '../browser/html.ts';
import { icon, page, type Site, timeOf } from '../browser/page.ts';
import { allInstances, withInstance } from '../http/address.ts';
import type { Instance } from '../instances/instances.ts';
import type { BeanDescription } from '../sources/bean-source.ts';
import { value } from './compare-page.ts';
import { isWithin, type Row, type Table } from './table.ts';

/** What an instance said of a bean. */
export interface Told {
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
  /** What is known of the bean here. */
  readonly bean: Pick<BeanDescription, 'type'> | undefined;
  /** What each instance said. */
  readonly told: readonly Told[];
  /** Of those that gave a document, in the same order. */
  readonly table: Table;
  readonly milliseconds: number;
  /** The paths of values that always move, below the part. */
  readonly moved: ReadonlySet<string>;
  readonly showsMoving: boolean;
}

/** One bean in all instances: what differs, path by instance. */
export function instancesPage(site: Site, content: InstancesContent): string {
  const { prefix } = site;
  const { name, at, bean, told, milliseconds } = content;
  const answered = told.filter(({ text }) => text !== undefined);
  const link = (form: 'html' | 'json' | 'xml') => beanLink(withInstance(prefix, allInstances), name, form, { at });
  const main = html`<nav aria-label="Where you are"><ol class="trail"><li><a href="${prefix}/bean">Beans</a></li><li aria-current="page"><bdi>${name}</bdi></li></ol></nav>
<header class="head"><div><div class="title"><h1><bdi>${name}</bdi></h1></div>
<dl class="facts">${bean !== undefined && html`<div><dt>Type</dt><dd><code>${bean.type}</code></dd></div>`}<div><dt>Asked</dt><dd>${counted(told.length, 'instance')}, ${answered.length} answered</dd></div><div><dt>Looked at</dt><dd class="num">${timeOf(new Date())} <span class="soft">in ${Math.round(milliseconds)} ms</span></dd></div></dl></div>
<div class="row"><a class="button" href="${link('html')}">${icon('again')}Look again</a><span class="pick" role="group" aria-label="Open as"><a href="${link('json')}">JSON</a><a href="${link('xml')}">XML</a></span></div></header>
${told.map((each) => each.text === undefined && html`<div class="note warn"><p><b><bdi>${each.instance.label}</bdi> is not compared.</b> It ${each.fault}.</p></div>`)}
${comparedRows(site, content, answered)}`;
  return page(site, { title: `${name}, all instances`, section: 'bean', main });
}

const counted = (count: number, noun: string) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

function comparedRows(site: Site, content: InstancesContent, answered: readonly Told[]): Html {
  const { name, at, table, moved, showsMoving } = content;
  const { different, equal, isCut } = table;
  const still = different.filter(({ pointer }) => !isWithin(pointer, moved));
  const moving = different.length - still.length;
  const rows = showsMoving ? different : still;
  if (answered.length < 2) return html`<div class="note"><p>There is nothing to compare with.</p></div>`;
  const others = beanLink(withInstance(site.prefix, allInstances), name, 'html', {
    at,
    always: showsMoving ? undefined : '1',
  });
  const said = html`${still.length} of ${counted(different.length + equal, 'value')} differ in the ${answered.length} instances that answered.${isCut && ' Only the first are shown.'}${moving > 0 && html` ${counted(moving, 'value')} always ${moving === 1 ? 'moves' : 'move'}. <a href="${others}">${showsMoving ? 'Hide' : 'Show'} ${moving === 1 ? 'it' : 'them'}</a>`}`;
  return html`<div class="tools"><p class="soft num">${said}</p></div>${rows.length > 0 && html`<section class="card" aria-label="Values by instance">${rowTable(site, content, rows, answered)}</section>`}`;
}

function rowTable(
  { prefix }: Site,
  { name, at }: InstancesContent,
  rows: readonly Row[],
  answered: readonly Told[],
): Html {
  const heads = answered.map(({ instance: { id, label, pid }, milliseconds }) => {
    const link = beanLink(withInstance(prefix, id), name, 'html', { at });
    return html`<th role="columnheader" scope="col"><a href="${link}"><bdi>${label}</bdi></a>${pid !== undefined && label !== `pid ${pid}` && html` <span class="soft num">pid ${pid}</span>`} <span class="soft num">${Math.max(1, Math.round(milliseconds))} ms</span></th>`;
  });
  const cell = (held: unknown, index: number) =>
    html`<td role="cell" class="val" data-label="${answered[index]?.instance.label}">${held === undefined ? html`<span class="soft">not there</span>` : value(held)}</td>`;
  return html`<table role="table" class="grouped across"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col" class="c-path">Path</th>${heads}</tr></thead><tbody role="rowgroup">
${rows.map(({ pointer, values }) => html`<tr role="row"><td role="cell"><a class="path" href="${beanLink(prefix, name, 'html', { at: at + pointer })}">${at + pointer || 'The whole bean'}</a></td>${values.map(cell)}</tr>\n`)}</tbody></table>`;
}
