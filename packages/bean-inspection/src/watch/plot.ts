import { labelOf, scaled } from '@jig/inspect/internal';
import { formatNumber, spanText } from '../browser/amounts.ts';
import { type Html, hiddenFields, html } from '../browser/html.ts';
import { icon } from '../browser/page.ts';
import { visible } from '../browser/tree.ts';
import type { Mount } from '../mount.ts';
import type { Limits } from '../options.ts';
import { labelOfAddress, openCrossing, type RecordedValue } from './recorder.ts';
import { ranges, type Step, type Summary, summarize } from './rings.ts';

/** `In use` for the reading `inUse`; a pointer as it is. */
export function titleOf({ address }: Pick<RecordedValue, 'address'>): string {
  const label = labelOfAddress(address);
  if ('reading' in address) return visible(labelOf(label));
  return label === '' ? 'Size' : visible(label);
}

/** How the numbers of a value are written and where they are drawn. */
export interface Scale {
  readonly bottom: number;
  readonly top: number;
  /** In the unit of the scale. */
  readonly write: (value: number) => string;
  /** After a number: ` MB`, ` of 20`. */
  readonly unit: string;
}

/** From 0 or a round number below it to the known maximum or a round number. */
export function scaleOf({ now, limits }: RecordedValue, { total = { min: 0, mean: 0, max: 0 } }: Summary): Scale {
  const { unit, of } = now;
  const seen = [total.max, total.min, ...Object.values(limits).filter((limit) => limit !== undefined)];
  const largest = Math.max(0, of ?? 0, ...seen);
  const smallest = Math.min(0, ...seen);
  const [factor, name] = scaled(Math.max(largest, -smallest), unit);
  const round = (value: number) => factor * roundUp(value / factor);
  const isKnown = of !== undefined && of >= largest && of > 0;
  const bottom = smallest === 0 ? 0 : -round(-smallest);
  const write = (value: number) => formatNumber(value / factor);
  return {
    bottom,
    top: isKnown ? of : largest === 0 ? (bottom === 0 ? 1 : 0) : round(largest),
    write,
    unit: `${name === undefined ? '' : ` ${visible(name)}`}${of === undefined ? '' : ` of ${write(of)}`}`,
  };
}

const roundNumbers = [1, 2, 3, 4, 5, 6, 8, 10];

function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return (roundNumbers.find((each) => each * power >= value) ?? 10) * power;
}

const tenths = (value: number) => Math.round(value * 10) / 10;

interface Area {
  readonly width: number;
  readonly height: number;
  readonly bottom: number;
  readonly top: number;
  /** Left free above and below. */
  readonly margin: number;
}

const yOf = (value: number, { height, bottom, top, margin }: Area) =>
  tenths(margin + (height - 2 * margin) * (1 - (value - bottom) / (top - bottom || 1)));

/** Steps that follow each other without a gap. */
function runsOf(steps: readonly (Step | undefined)[]): { readonly x: number; readonly step: Step }[][] {
  const runs: { x: number; step: Step }[][] = [];
  steps.forEach((step, x) => {
    if (step === undefined) return;
    const last = runs.at(-1);
    if (last?.at(-1)?.x === x - 1) last.push({ x, step });
    else runs.push([{ x, step }]);
  });
  return runs;
}

/** The line of the means, and the band from the least to the most where a step has several values. */
function traces(steps: readonly (Step | undefined)[], area: Area, hasBand: boolean): Html {
  const stepWidth = area.width / Math.max(1, steps.length - 1);
  const point = (x: number, value: number) => `${tenths(x * stepWidth)} ${yOf(value, area)}`;
  let [line, band] = ['', ''];
  for (const run of runsOf(steps)) {
    // A single point is drawn as a short line.
    line += `M${run.map(({ x, step }) => point(x, step.mean)).join('L')}${run.length === 1 ? `h${tenths(stepWidth / 2)}` : ''}`;
    if (!hasBand || run.every(({ step }) => step.min === step.max)) continue;
    const above = run.map(({ x, step }) => point(x, step.max));
    const below = run.map(({ x, step }) => point(x, step.min)).reverse();
    band += `M${[...above, ...below].join('L')}Z`;
  }
  return html`${band !== '' && html`<path class="between" d="${band}"/>`}${line !== '' && html`<path class="trace" d="${line}"/>`}`;
}

/** A sparkline: a small plot with a scale of its own, beside a value. */
export function spark(recorded: RecordedValue, summary: Summary): Html {
  const { total, range, steps } = summary;
  // One point makes no line.
  if (total === undefined || steps.filter((step) => step !== undefined).length < 2) return html``;
  const { write } = scaleOf(recorded, summary);
  const limit = crossedLimit(recorded.limits, total);
  const [bottom, top] = [Math.min(total.min, limit ?? total.min), Math.max(total.max, limit ?? total.max)];
  // A value that does not move is a line at the bottom.
  const area = { width: 100, height: 28, bottom, top: top === bottom ? bottom + 1 : top, margin: 2 };
  return html`<svg class="spark" role="img" aria-label="${`${titleOf(recorded)}, last ${ranges[range].title}: from ${write(total.min)} to ${write(total.max)}`}" viewBox="0 0 100 28" preserveAspectRatio="none">${limit !== undefined && html`<path class="limit" d="M0 ${yOf(limit, area)}H100"/>`}${traces(steps, area, false)}</svg>`;
}

/** The limit that a value has crossed, if any. */
const crossedLimit = ({ over, under }: Limits, { min, max }: NonNullable<Summary['total']>) =>
  over !== undefined && max > over ? over : under !== undefined && min < under ? under : undefined;

/** The sparkline of the last five minutes. */
export const recentSpark = (recorded: RecordedValue, now: number) => spark(recorded, summarize(recorded, '5m', now));

/** `over 0 for 45 s` while a limit is crossed. */
export function overTag(recorded: RecordedValue, { write }: Pick<Scale, 'write'>, now: number): Html | false {
  const open = openCrossing(recorded);
  if (open === undefined) return false;
  return html`<span class="tag warn">${open.crossed} ${write(open.limit)} for ${spanText(now - open.from)}</span>`;
}

/** Only the lines in the inner SVG are stretched to the width; the outer one keeps the size of text and circles. The id is the prefix of ids in it. */
export function plot(recorded: RecordedValue, summary: Summary, id: string, height: number): Html {
  const scale = scaleOf(recorded, summary);
  const area = { width: 600, height, bottom: scale.bottom, top: scale.top, margin: 0 };
  const { from, to, steps, stepMs, crossings } = summary;
  /** The position of the step of a time, in percent. */
  const percentAt = (time: number) => tenths((100 * Math.floor((time - from) / stepMs)) / (steps.length - 1));
  const grid = [0.5, height / 2, height - 0.5].map(
    (y) => html`<line class="grid" x1="0" x2="100%" y1="${y}" y2="${y}"/>`,
  );
  const limits = (['over', 'under'] as const).flatMap((crossed) => {
    const limit = recorded.limits[crossed];
    return limit === undefined ? [] : [limitLine(limit, scale.write(limit), area)];
  });
  const dots = crossings
    .filter((crossing) => crossing.from >= from)
    .map(
      ({ from: time, limit }) =>
        html`<circle class="crossed" cx="${percentAt(time)}%" cy="${yOf(limit, area)}" r="3.5"/>`,
    );
  return html`<div class="draw"><div class="y" aria-hidden="true"><span>${scale.write(scale.top)}</span><span>${scale.write(scale.bottom)}</span></div><svg role="img" aria-labelledby="${id}-t ${id}-d" width="100%" height="${height}"><title id="${id}-t">${titleOf(recorded)} of ${recorded.address.bean}, ${ranges[summary.range].words}</title><desc id="${id}-d">${describe(recorded, summary, scale)}</desc>${grid}<svg width="100%" height="${height}" viewBox="0 0 600 ${height}" preserveAspectRatio="none">${traces(steps, area, true)}</svg>${limits}${dots}</svg><div class="x" aria-hidden="true"><span>${hourText(from)}</span><span>${hourText(to)}</span></div></div>`;
}

/** The label is above the line, or below where there is no room. */
function limitLine(limit: number, text: string, area: Area): Html {
  const y = yOf(limit, area);
  return html`<line class="limit" x1="0" x2="100%" y1="${y}" y2="${y}"/><text x="0.5%" y="${y < 18 ? y + 15 : y - 6}">limit ${text}</text>`;
}

const hourText = (time: number) => new Date(time).toISOString().slice(11, 16);

/** The plot in words. */
function describe({ now, limits }: RecordedValue, { total, crossings }: Summary, { write, unit }: Scale): string {
  const current =
    now.value === undefined ? `Not read: ${now.fault ?? 'it has just begun'}.` : `Now ${write(now.value)}${unit}.`;
  const seen =
    total === undefined ? '' : ` From ${write(total.min)} to ${write(total.max)}, ${write(total.mean)} on average.`;
  const limitsText = limitText(limits, write);
  const times = crossings.length === 0 ? 'never' : crossings.length === 1 ? 'once' : `${crossings.length} times`;
  return `${visible(current)}${seen}${limitsText === '' ? '' : ` Limit: ${limitsText}, crossed ${times}.`}`;
}

/** `over 18`, `over 18 or under 2`; empty where there is none. */
export const limitText = (limits: Limits, write: Scale['write']) =>
  (['over', 'under'] as const)
    .flatMap((crossed) => (limits[crossed] === undefined ? [] : [`${crossed} ${write(limits[crossed])}`]))
    .join(' or ');

/** The recorded values of an existing bean. */
export interface BeanWatch {
  /** By pointer. */
  readonly pointers: ReadonlySet<string>;
  readonly readings: ReadonlyMap<string, RecordedValue>;
  readonly now: number;
}

/** Undefined for a bean that does not exist, of which nothing can be recorded. */
export function watchOf({ beans, recorder }: Mount, name: string): BeanWatch | undefined {
  if (typeof beans.find(name) === 'string') return undefined;
  const values = recorder.ofBean(name);
  return {
    pointers: new Set(values.flatMap(({ address }) => ('at' in address ? [address.at] : []))),
    readings: new Map(values.flatMap((each) => ('reading' in each.address ? [[each.address.reading, each]] : []))),
    now: Date.now(),
  };
}

/** The sparkline of the first recorded value of each bean. */
export function sparksByBean({ recorder }: Mount): ReadonlyMap<string, Html> {
  const now = Date.now();
  // In reverse, so that the first value of a bean replaces the others.
  return new Map(recorder.values.toReversed().map((value) => [value.address.bean, recentSpark(value, now)]));
}

/** The forms that all watch buttons of a page share: a button can send one field only. They lead back to the page. */
export const watchForms = (prefix: string, bean: string, back: string) =>
  (['watch', 'remove'] as const).map(
    (action) =>
      html`<form id="${action}" method="post" action="${prefix}/watch" hidden>${hiddenFields({ action, bean, back })}</form>`,
  );

/** A toggle that submits one of the forms. */
export function watchToggle(reading: string, label: string, { readings }: BeanWatch): Html {
  const isOn = readings.has(reading);
  return html`<button class="watch" form="${isOn ? 'remove' : 'watch'}" name="reading" value="${reading}" aria-pressed="${isOn ? 'true' : 'false'}" aria-label="Watch ${label}" title="${isOn ? 'Watched. Press to stop' : 'Watch: record it over time'}">${icon('watch')}</button>`;
}
