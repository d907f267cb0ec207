import { type Html, html } from '../browser/html.ts';
import { icon } from '../browser/page.ts';
import type { Mount } from '../mount.ts';
import { sparkNow } from './plot.ts';
import type { RecordedValue } from './recorder.ts';

/** What is recorded of a bean that lasts. */
export interface BeanWatch {
  /** By pointer. */
  readonly pointers: ReadonlySet<string>;
  readonly readings: ReadonlyMap<string, RecordedValue>;
  readonly now: number;
}

/** Undefined for a bean that does not exist, of which nothing can be recorded. */
export function watchOf({ beans, recorder }: Mount, name: string): BeanWatch | undefined {
  if (typeof beans.find(name) === 'string') return undefined;
  const values = recorder.of(name);
  return {
    pointers: new Set(values.flatMap(({ address }) => ('at' in address ? [address.at] : []))),
    readings: new Map(values.flatMap((each) => ('reading' in each.address ? [[each.address.reading, each]] : []))),
    now: recorder.now(),
  };
}

/** A line for each bean of which something is recorded: that of the first value. */
export function sparksByBean({ recorder }: Mount): ReadonlyMap<string, Html> {
  const now = recorder.now();
  return new Map(recorder.values.toReversed().map((value) => [value.address.bean, sparkNow(value, now)]));
}

/** The forms of all buttons of a page, since a button sends one field only. They lead back to the page. */
export function watchForms(prefix: string, name: string, back: string): Html {
  const form = (id: string, fields: Html) =>
    html`<form id="${id}" method="post" action="${prefix}/watch" hidden><input type="hidden" name="bean" value="${name}"><input type="hidden" name="back" value="${back}">${fields}</form>`;
  return html`${form('watch', html``)}${form('unwatch', html`<input type="hidden" name="action" value="remove">`)}`;
}

/** A button of one of the forms, on or off. */
export function watchToggle(reading: string, label: string, { readings }: BeanWatch): Html {
  const isOn = readings.has(reading);
  return html`<button class="watch" form="${isOn ? 'unwatch' : 'watch'}" name="reading" value="${reading}" aria-pressed="${isOn ? 'true' : 'false'}" aria-label="Watch ${label}" title="${isOn ? 'Watched. Press to stop' : 'Watch: record it over time'}">${icon('watch')}</button>`;
}
