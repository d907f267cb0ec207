import type { Locales } from '../locales/locales.ts';
import type { OfferedLocale } from '../locales/offered-locale.ts';
import type { Zone } from '../zones/zone.ts';
import type { Zones } from '../zones/zones.ts';

/** What a request says about locale and zone, weightiest first in each pair. */
export interface Wishes {
  /** From the session, where anything may be stored. */
  readonly languageTag: string | undefined;
  readonly acceptLanguage: string | undefined;
  /** From the session as well. */
  readonly zoneID: string | undefined;
  /** What the browser says of itself. */
  readonly browserZone: string | undefined;
}

/** The effective locale and zone, and what was stored but not understood. */
export interface Selection {
  readonly locale: OfferedLocale;
  readonly zone: Zone;
  readonly isZoneChosen: boolean;
  readonly unknownLocale?: string;
  readonly unknownZone?: string;
}

/** Locale and zone are found independently of each other; nothing that is stored makes this fail. */
export function select(wishes: Wishes, locales: Locales, zones: Zones): Selection {
  return { ...selectLocale(wishes, locales), ...selectZone(wishes, zones) };
}

function selectLocale({ languageTag, acceptLanguage }: Wishes, locales: Locales) {
  if (languageTag === undefined) return { locale: locales.accepted(acceptLanguage) };
  const found = locales.find(languageTag);
  if (found) return { locale: found };
  return { locale: locales.nearest(languageTag) ?? locales.accepted(acceptLanguage), unknownLocale: languageTag };
}

function selectZone({ zoneID, browserZone }: Wishes, zones: Zones) {
  if (zoneID === undefined) {
    const own = browserZone === undefined ? undefined : zones.find(browserZone);
    return { zone: own ?? zones.default, isZoneChosen: false };
  }
  const found = zones.find(zoneID);
  if (found) return { zone: found, isZoneChosen: true };
  return { zone: zones.gmt, isZoneChosen: true, unknownZone: zoneID };
}
