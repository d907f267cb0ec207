import { Cache } from './cache.ts';
import { zoneName } from './names.ts';
import type { Selection } from './selection.ts';

/** The part of a selection that formatting needs. */
export type Formatted = Pick<Selection, 'formatTag' | 'zone'>;

/** The formatted time and date, and until when the zone's offset is valid; numbers are milliseconds. */
export interface ClockTexts {
  readonly now: number;
  readonly offset: number;
  readonly until: number;
  readonly time: string;
  readonly date: string;
}

/** A formatter takes 30 KB of memory. */
const maxFormatters = 400;
const formatters = new Cache<Intl.DateTimeFormat>(maxFormatters);

/** Formats in UTC; callers add the zone's offset, so that one formatter serves all zones with the newest rules. */
export function formatter(tag: string, style: 'dateStyle' | 'timeStyle'): Intl.DateTimeFormat {
  const options = { [style]: style === 'dateStyle' ? 'long' : 'medium', timeZone: 'UTC' };
  return formatters.get(`${tag} ${style}`, () => new Intl.DateTimeFormat(tag, options));
}

export function clockTexts({ formatTag, zone }: Formatted, instant: number): ClockTexts {
  const { offset, until } = zone.periodAt(instant);
  const now = Math.floor(instant / 1000) * 1000;
  const local = now + offset;
  const [time, date] = [
    formatter(formatTag, 'timeStyle').format(local),
    formatter(formatTag, 'dateStyle').format(local),
  ];
  return { now, offset, until, time, date };
}

const zoneNames = new Cache<string>(2000);

/**
 * The zone's current name, standard or daylight, and how the browser's zone differs, as an equation that needs no translation:
 * `Japan Standard Time = Central European Summer Time +7 hours`.
 */
export function zoneTexts(
  { locale: { languageTag }, formatTag, zone, browserZone }: Selection,
  instant: number,
): { readonly zoneName: string; readonly difference: string } {
  const currentName = (one: Selection['zone']) => {
    const isDaylight = one.periodAt(instant).offset !== one.rawOffset;
    if (one.id.startsWith('GMT')) return one.id;
    return zoneNames.get(`${languageTag} ${one.id} ${isDaylight}`, () => zoneName(languageTag, one, isDaylight));
  };
  const hours = browserZone ? (zone.periodAt(instant).offset - browserZone.periodAt(instant).offset) / 3_600_000 : 0;
  if (browserZone === undefined || hours === 0) return { zoneName: currentName(zone), difference: '' };
  const unit = { style: 'unit', unit: 'hour', unitDisplay: 'long', signDisplay: 'always' } as const;
  const amount = new Intl.NumberFormat(formatTag, unit).format(hours);
  return { zoneName: currentName(zone), difference: ` = ${currentName(browserZone)} ${amount}` };
}
