import { hourDifference } from '../formatting/hour-difference.ts';
import type { LocaleFormats } from '../formatting/locale-formats.ts';
import type { Names } from '../names.ts';
import type { Selection } from '../selection.ts';
import type { NameTexts } from '../tables/table-texts.ts';
import type { Zone } from '../zones/zone.ts';
import type { ZoneRules } from '../zones/zone-rules.ts';

interface GlanceParts {
  readonly names: Names;
  readonly formats: LocaleFormats;
  readonly rules: ZoneRules;
}

/**
 * What the zone is called at this moment, which tells whether daylight time is in force; and its difference to the
 * visitor's own zone, as an equation that needs no words but CLDR's: `Japan Standard Time = Central European Summer Time +7 hours`.
 */
export function glance(
  { locale, zone, browserZone, preferences }: Selection,
  instant: number,
  texts: NameTexts,
  { names, formats, rules }: GlanceParts,
): { readonly zoneName: string; readonly difference: string } {
  const nameNow = (one: Zone) => names.zoneName(one, isDaylight(one, rules.offsetAt(one, instant)), texts);
  const zoneName = nameNow(zone);
  if (browserZone === undefined || browserZone === zone) return { zoneName, difference: '' };
  const milliseconds = rules.offsetAt(zone, instant) - rules.offsetAt(browserZone, instant);
  if (milliseconds === 0) return { zoneName, difference: '' };
  const { digits } = formats.writer(locale, preferences);
  const hours = hourDifference(milliseconds, names.hourTexts(texts), digits);
  return { zoneName, difference: ` = ${nameNow(browserZone)} ${hours}` };
}

const isDaylight = ({ rawOffset, daylightSavings }: Zone, offset: number): boolean =>
  daylightSavings > 0 && offset === rawOffset + daylightSavings;

/** The address of the page with this choice, to be shared. */
export function choiceLink({ locale, preferences, zone }: Selection): string {
  const { calendar, hourCycle, numbers } = preferences ?? {};
  const asked = [calendar && `-ca-${calendar}`, hourCycle && `-hc-${hourCycle}`, numbers && `-nu-${numbers}`];
  const extension = preferences === undefined ? '' : `-u${asked.filter(Boolean).join('')}`;
  return `/clock/time?languageTag=${locale.languageTag}${extension}&zoneID=${encodeURIComponent(zone.id)}`;
}
