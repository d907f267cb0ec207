import type { Glance, GlanceReading, ReadingValue } from '@jig/inspect';
import { labelOf, scaled } from '@jig/inspect/internal';
import { encodeName } from '../beans/bean-list.ts';
import { type BeanWatch, overTag, recentSpark, watchToggle } from '../watch/plot.ts';
import { formatNumber } from './amounts.ts';
import { type Html, html, type Part } from './html.ts';
import { timeOf } from './page.ts';
import { threwMessage, visible } from './tree.ts';

/**
 * The readings of a view: changing values as tiles, settings in one line, lists as tables. With the name of the bean, also a
 * button for each reading that is only read on demand.
 */
export function glanceCard(prefix: string, { view, readings }: Glance, name?: string, watch?: BeanWatch): Html {
  const available = readings.filter(
    ({ value, rows, fault }) => value !== undefined || rows !== undefined || fault !== undefined,
  );
  const settings = available.filter(({ isSetting }) => isSetting);
  const asked = name === undefined ? [] : readings.filter(({ ask }) => ask);
  if (available.length + asked.length === 0) return html``;
  return html`<section class="card glance" aria-labelledby="glance"><header><h2 id="glance">At a glance</h2><code class="soft">${visible(view)}</code>${watch !== undefined && watch.readings.size > 0 && html`<a class="push" href="${prefix}/watch">${watch.readings.size} watched</a>`}</header>
${glanceTiles(readings, watch)}${
  settings.length > 0 &&
  html`<dl class="facts">${settings.map((each) => html`<div${titleOf(each)}><dt>${labelOf(each.name)}</dt><dd class="num">${shown(each)}</dd></div>`)}</dl>`
}${available.map((each) => each.rows !== undefined && each.rows.length > 0 && table(each, each.rows))}${
  asked.length > 0 &&
  html`<form class="foot row" method="post" action="${prefix}/bean/${encodeName(name ?? '')}"><span>Not in this process:</span>${asked.map(
    (each) =>
      html`<button class="button small" name="ask" value="${each.name}"${titleOf(each)}>Ask ${each.askedAt !== undefined && 'again '}for ${labelOf(each.name).toLowerCase()}</button>`,
  )}</form>`
}</section>
`;
}

/** The changing values, which a live page replaces as a whole. */
export function glanceTiles(readings: readonly GlanceReading[], watch?: BeanWatch): Html {
  const moving = readings.filter((each) => !each.isSetting && (each.value ?? each.rows ?? each.fault) !== undefined);
  return html`${moving.length > 0 && html`<dl class="tiles" id="tiles">${moving.map((each) => tile(each, watch))}</dl>`}`;
}

/** A reading that can be watched has a toggle; a watched one has a sparkline, and a tag while it is beyond its limit. */
function tile(reading: GlanceReading, watch: BeanWatch | undefined): Html {
  const { name, value, rows, of, ask, askedAt } = reading;
  const recorded = watch?.readings.get(name);
  const isCounted = typeof value === 'number' || typeof value === 'boolean' || rows !== undefined;
  const canWatch = recorded !== undefined || (isCounted && !ask);
  const now = watch?.now ?? 0;
  const tag = recorded !== undefined && overTag(recorded, { write: formatNumber }, now);
  return html`<div${titleOf(reading)}${tag && html` class="over"`}><dt>${labelOf(name)}</dt>${
    watch !== undefined && canWatch && html`<dd class="do">${watchToggle(name, labelOf(name), watch)}</dd>`
  }<dd class="reading">${shown(reading)}${tag && html` ${tag}`}</dd>${recorded !== undefined && html`<dd>${recentSpark(recorded, now)}</dd>`}${
    typeof value === 'number' &&
    of !== undefined &&
    of > 0 &&
    html`<dd aria-hidden="true"><svg class="level"><rect width="${Math.min(100, Math.max(0, (100 * value) / of)).toFixed(1)}%" height="100%"/></svg></dd>`
  }${askedAt !== undefined && html`<dd class="soft">asked at ${timeOf(new Date(askedAt))}</dd>`}</div>`;
}

const titleOf = ({ description }: GlanceReading) => description !== undefined && html` title="${visible(description)}"`;

/** `<b>12</b> of 20`, `<b>1.5</b> s`, `<b>yes</b>`, or why there is no value. */
function shown({ value, rows, of, unit, fault }: GlanceReading): Part {
  if (fault !== undefined)
    return html`<span class="tag bad">not read</span> <span class="err">${visible(threwMessage(fault))}</span>`;
  if (rows !== undefined) return html`<b>${rows.length.toLocaleString('en')}</b>`;
  if (typeof value !== 'number') return html`<b class="text" dir="auto">${text(value)}</b>`;
  // One unit for the value and its maximum: that of the larger one.
  const [scale, name] = scaled(Math.max(value, of ?? value), unit);
  return html`<bdi dir="ltr"><b>${formatNumber(value / scale)}</b>${name !== undefined && html` <span>${name}</span>`}${of !== undefined && html` <span>of ${formatNumber(of / scale)}</span>`}</bdi>`;
}

const text = (value: ReadingValue | undefined) =>
  typeof value === 'boolean'
    ? value
      ? 'yes'
      : 'no'
    : typeof value === 'number'
      ? formatNumber(value)
      : visible(value ?? '');

/** How many rows of a table are shown at once, and after one click. */
const firstRows = 6;
const maxRows = 100;

type Rows = NonNullable<GlanceReading['rows']>;

function table({ name, description }: GlanceReading, rows: Rows): Html {
  const columns = [...new Set(rows.slice(0, maxRows).flatMap((row) => Object.keys(row)))];
  const label = labelOf(name);
  const first = rows.slice(0, firstRows);
  const rest = rows.slice(firstRows, maxRows);
  const omitted = rows.length - firstRows - rest.length;
  const part = (shownRows: Rows, title: string) =>
    html`<table role="table" class="rows"${description !== undefined && html` title="${visible(description)}"`}><caption${shownRows !== first && html` class="hush"`}>${title}</caption><thead role="rowgroup"${shownRows !== first && html` class="hush"`}><tr role="row">${columns.map((column) => html`<th role="columnheader" scope="col">${labelOf(visible(column))}</th>`)}</tr></thead><tbody role="rowgroup">${shownRows.map(
      (row) =>
        html`<tr role="row">${columns.map((column) => html`<td role="cell"><bdi>${text(row[column])}</bdi></td>`)}</tr>`,
    )}</tbody></table>`;
  return html`${part(first, label)}${
    rest.length > 0 &&
    html`<details class="foot"><summary>Show ${omitted > 0 ? `the first ${maxRows} of` : 'all'} ${rows.length.toLocaleString('en')}</summary>${part(rest, `More ${label.toLowerCase()}`)}</details>`
  }`;
}
