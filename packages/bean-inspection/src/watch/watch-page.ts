import { pluralize, spanText } from '../browser/amounts.ts';
import { type Html, hiddenFields, html } from '../browser/html.ts';
import { beanLink, writeQuery } from '../browser/links.ts';
import { icon, page, type Site } from '../browser/page.ts';
import { visible } from '../browser/tree.ts';
import type { ReadingAddress } from '../options.ts';
import { limitText, overTag, plot, type Scale, scaleOf, titleOf } from './plot.ts';
import { type Crossing, fullSentence, keyOf, openCrossing, type RecordedValue, watchLimits } from './recorder.ts';
import { type Range, rangeNames, ranges, type Summary, summarize } from './rings.ts';

/** What the address of the page asks for. */
export interface WatchView {
  readonly range: Range;
  /** The one value to show; undefined for all. */
  readonly only?: ReadingAddress | undefined;
  /** Whether the page reloads itself without JavaScript. */
  readonly isLive: boolean;
}

export interface WatchContent {
  readonly view: WatchView;
  readonly values: readonly RecordedValue[];
  readonly isFull: boolean;
  readonly now: number;
}

/** A recorded value on a page. */
interface Shown {
  readonly recorded: RecordedValue;
  readonly summary: Summary;
  readonly scale: Scale;
  readonly id: string;
  readonly title: string;
}

/** Values over time as cards, or one large with all its crossings. */
export function watchPage(site: Site, content: WatchContent): string {
  const { view, values, isFull } = content;
  const [only] = view.only === undefined ? [] : values;
  const title = only === undefined ? 'Watch' : titleOf(only);
  const main = html`${only !== undefined && trail(site, only, title)}<header class="head"><div><h1><bdi>${title}</bdi></h1>${only === undefined ? about(content) : html`<p>A value of ${beanName(site, only)}.</p>`}</div>${values.length > 0 && controls(site, view)}</header>
${isFull && html`<div class="note warn"><p>${fullSentence}</p></div>`}${
  values.length === 0
    ? emptyState(site)
    : html`<div id="watched">${watchedValues(site, content)}</div>
${values.length === 1 && values.map((value) => limitForm(site, view, value))}`
}`;
  return page(site, { title, section: 'watch', main });
}

/** A live page keeps elements by their id, so that a button being pressed stays that of its value. */
const idOf = (key: string) => `p${Buffer.from(key).toString('base64url')}`;

/** The part that a live page replaces. */
export function watchedValues(site: Site, { view, values, now }: WatchContent): Html {
  const shown = values.map((recorded): Shown => {
    const summary = summarize(recorded, view.range, now);
    return {
      recorded,
      summary,
      scale: scaleOf(recorded, summary),
      id: idOf(keyOf(recorded.address)),
      title: titleOf(recorded),
    };
  });
  const [first] = shown;
  if (first === undefined) return html``;
  const isOne = shown.length === 1;
  return html`${tools(site, view, first.summary)}
${isOne ? html`${card(site, view, first, now, true)}${crossingTable(site, first, now)}` : html`<div class="plots">${shown.map((each) => card(site, view, each, now, false))}</div>`}`;
}

const trail = (site: Site, only: RecordedValue, title: string) =>
  html`<nav aria-label="Where you are"><ol class="trail"><li><a href="${site.prefix}/watch">Watch</a></li><li>${beanName(site, only)}</li><li aria-current="page"><bdi>${title}</bdi></li></ol></nav>
`;

const beanName = ({ prefix }: Site, { address: { bean } }: RecordedValue) =>
  html`<a href="${beanLink(prefix, bean, 'html')}"><bdi>${visible(bean)}</bdi></a>`;

function about({ values }: WatchContent): Html {
  if (values.length === 0) return html`<p>Values of beans over time.</p>`;
  const beans = new Set(values.map(({ address }) => address.bean)).size;
  return html`<p>${pluralize(values.length, 'value')} of ${pluralize(beans, 'bean')}. Kept in memory for 24 hours, until the application stops.</p>`;
}

const addressFields = (address: ReadingAddress) =>
  'at' in address ? { bean: address.bean, at: address.at } : { bean: address.bean, reading: address.reading };

/** `writeQuery` leaves out the empty pointer of the bean itself, so it is added here. */
function watchLink(prefix: string, { range, only }: Partial<WatchView>, extension = '', live?: number): string {
  const fields = only === undefined ? {} : addressFields(only);
  const query = writeQuery({ ...fields, range: range === '5m' ? undefined : range, live });
  return `${prefix}/watch${extension}${query}${only !== undefined && 'at' in only && only.at === '' ? '&at=' : ''}`;
}

function controls({ prefix }: Site, view: WatchView): Html {
  const { isLive } = view;
  return html`<div class="row"><a class="switch${isLive && ' on'}" id="live" data-on href="${watchLink(prefix, view, '', isLive ? undefined : 1)}"><i aria-hidden="true"></i>Live${isLive && html`<span class="hush">, on</span>`}</a><span class="field"><span id="exports">Download</span><span class="pick" role="group" aria-labelledby="exports"><a href="${watchLink(prefix, view, '.json')}">JSON</a><a href="${prefix}/metrics" title="An address that Prometheus can read">Prometheus</a></span></span></div>`;
}

function tools({ prefix }: Site, view: WatchView, { from, to, stepMs }: Summary): Html {
  return html`<div class="tools"><nav class="pick" aria-label="Range">${rangeNames.map(
    (range) =>
      html`<a href="${watchLink(prefix, { ...view, range })}"${range === view.range && html` aria-current="page"`}>${ranges[range].title}</a>`,
  )}</nav><p class="soft num">${momentText(from, to)} to ${momentText(to, to)} UTC, a step is ${spanText(stepMs)}.</p><p class="soft num push" id="said"></p><p class="hush" role="status" id="spoken"></p></div>`;
}

/** The time of day, and whether that was yesterday. */
function momentText(time: number, now: number): string {
  const [day, moment = ''] = new Date(time).toISOString().slice(0, 19).split('T');
  return day === new Date(now).toISOString().slice(0, 10) ? moment : `${moment} yesterday`;
}

const emptyState = ({ prefix }: Site) =>
  html`<div class="card empty"><h2>Nothing is watched yet</h2><p>Open a bean and press ${icon('watch')} beside a value, or choose <b>Watch this value</b> in the menu of a row.<br>A value is read every second and kept for 24 hours, until the application stops. At most ${watchLimits.values} values.</p><div class="row"><a class="button" href="${prefix}/bean">Open the beans</a></div></div>`;

/** The current number with its unit, or why there is none. */
function reading({ recorded: { now }, scale }: Shown, over: Html | false): Html {
  const { value, fault } = now;
  if (value === undefined)
    return html`<p class="reading"><span class="tag bad">not read</span> <span class="err">${visible(fault ?? 'the first value comes in a second')}</span></p>`;
  return html`<p class="reading"><bdi dir="ltr"><b>${scale.write(value)}</b><span>${scale.unit}</span></bdi> ${over}</p>`;
}

function stats({ summary: { total }, scale: { write } }: Shown, more: Html | false): Html {
  if (total === undefined) return html``;
  const fact = (name: string, value: number) => html`<div><dt>${name}</dt><dd><bdi>${write(value)}</bdi></dd></div>`;
  return html`<dl class="facts stats">${fact('Min', total.min)}${fact('Mean', total.mean)}${fact('Max', total.max)}${more}</dl>`;
}

/** Each value has a form of its own, since a button can send one field only. */
function removeForm({ prefix }: Site, { range }: WatchView, { address }: RecordedValue, button: Html): Html {
  const fields = { ...addressFields(address), action: 'remove', back: watchLink(prefix, { range }) };
  return html`<form method="post" action="${prefix}/watch">${hiddenFields(fields)}${button}</form>`;
}

/** A card among others, or large on a page of its own, where the heading of the page names the value. */
function card(site: Site, view: WatchView, each: Shown, now: number, isLarge: boolean): Html {
  const { recorded, summary, scale, id, title } = each;
  const { address } = recorded;
  const remove = html`<button class="ghost" aria-label="Stop watching ${title} of ${address.bean}" title="Stop watching">${icon('remove')}</button>`;
  const header = html`<header><h2><a href="${watchLink(site.prefix, { ...view, only: address })}"><bdi>${title}</bdi></a></h2>${beanName(site, recorded)}${removeForm(site, view, recorded, remove)}</header>
`;
  const legend = html`<div class="soft"><dt>Line: mean of a step. Band: from least to most.</dt></div>`;
  return html`<article id="${id}" class="card plot${openCrossing(recorded) !== undefined && ' over'}" aria-label="${title}, ${address.bean}">${!isLarge && header}${reading(each, overTag(recorded, scale, now))}
${plot(recorded, summary, id, isLarge ? 220 : 112)}
${stats(each, isLarge && legend)}${!isLarge && lastCrossing(site, view, each, now)}</article>
`;
}

/** The last crossing, in a card. */
function lastCrossing(site: Site, view: WatchView, each: Shown, now: number): Html {
  const { recorded, summary, scale } = each;
  const crossing = summary.crossings.at(-1);
  const limit = limitText(recorded.limits, scale.write);
  return html`<p class="foot">${
    crossing !== undefined
      ? html`${momentText(crossing.from, now)} ${crossing.crossed} ${scale.write(crossing.limit)}${crossing.to !== undefined && ` for ${spanText(crossing.to - crossing.from)}`}, ${farthest(crossing, scale)}. ${snapshotNote(site, crossing)}`
      : limit !== ''
        ? `Not ${limit} in this range.`
        : html`<a href="${watchLink(site.prefix, { ...view, only: recorded.address })}#limit">Set a limit</a>`
  }</p>`;
}

const farthest = ({ crossed, farthest: value }: Crossing, { write }: Scale) =>
  `${crossed === 'over' ? 'up' : 'down'} to ${write(value)}`;

/** A link to the snapshot of that moment, or why there is none. */
function snapshotNote({ prefix }: Site, { snapshot, noSnapshot }: Crossing): Html {
  if (snapshot !== undefined)
    return html`Kept a snapshot. <a class="act" href="${prefix}/compare${writeQuery({ from: snapshot })}">Compare</a>`;
  return html`${noSnapshot === undefined ? 'Keeping a snapshot…' : `Kept no snapshot: ${noSnapshot}.`}`;
}

function crossingTable(site: Site, { recorded, summary: { crossings }, scale }: Shown, now: number): Html {
  if (limitText(recorded.limits, scale.write) === '' && crossings.length === 0) return html``;
  const times = crossings.length === 1 ? 'once' : `${crossings.length} times`;
  const heading = (name: string, className: string) =>
    html`<th role="columnheader" scope="col" class="${className}">${name}</th>`;
  return html`<section class="card" aria-labelledby="crossings"><h2 class="named" id="crossings">Beyond its limit <span class="soft num">${crossings.length === 0 ? 'never in this range' : times}</span></h2>${
    crossings.length > 0 &&
    html`<table role="table" class="grouped hits crossings"><thead role="rowgroup"><tr role="row">${heading('From', 'c-from')}${heading('For', 'c-for')}${heading('Limit', 'c-most')}${heading('Up to', 'end c-most')}${heading('What happened', '')}</tr></thead><tbody role="rowgroup">${crossings
      .toReversed()
      .map(
        (crossing) =>
          html`<tr role="row"><td role="cell" class="num">${momentText(crossing.from, now)}</td><td role="cell" class="num">${spanText((crossing.to ?? now) - crossing.from)}${crossing.to === undefined && ', still'}</td><td role="cell" class="num">${crossing.crossed} ${scale.write(crossing.limit)}</td><td role="cell" class="end num most" data-label="${crossing.crossed === 'over' ? 'up to' : 'down to'}">${scale.write(crossing.farthest)}</td><td role="cell" class="told-cell">${snapshotNote(site, crossing)}</td></tr>
`,
      )}</tbody></table>`
  }</section>`;
}

/** Outside the part that a live page replaces, since the user may be typing. */
function limitForm(site: Site, view: WatchView, recorded: RecordedValue): Html {
  const { address, limits, now } = recorded;
  const unit = now.unit === undefined ? '' : ` (${visible(now.unit)})`;
  const field = (name: 'over' | 'under', title: string) =>
    html`<label class="field">${title}${unit} <input type="number" step="any" name="${name}" value="${limits[name] ?? ''}"></label>`;
  const fields = hiddenFields({ ...addressFields(address), back: watchLink(site.prefix, { ...view, only: address }) });
  const stop = html`<button class="button">Stop watching</button>`;
  return html`<section class="card" aria-labelledby="limit"><h2 class="named" id="limit">Limit</h2><div class="row set"><form class="row" method="post" action="${site.prefix}/watch">${fields}${field('over', 'When it is over')}${field('under', 'or under')}<button class="button">Save</button></form>${removeForm(site, view, recorded, stop)}</div></section>`;
}
