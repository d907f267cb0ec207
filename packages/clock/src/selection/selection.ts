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
  readonly unknownLocale: string | undefined;
  readonly unknownZone: string | undefined;
  /** Whether the stored values could be read at all. */
  readonly isStoreAvailable: boolean;
}

/** Locale and zone are found independently of each other; nothing that is stored makes this fail. */
export function select(wishes: Wishes, isStoreAvailable: boolean, locales: Locales, zones: Zones): Selection {
  const { languageTag, acceptLanguage, zoneID, browserZone } = wishes;
  const chosenLocale = languageTag === undefined ? undefined : locales.find(languageTag);
  const chosenZone = zoneID === undefined ? undefined : zones.find(zoneID);
  return {
    locale:
      chosenLocale ??
      (languageTag === undefined ? undefined : locales.nearest(languageTag)) ??
      locales.accepted(acceptLanguage),
    zone: chosenZone ?? (zoneID === undefined ? zoneOf(browserZone, zones) : zones.gmt),
    isZoneChosen: zoneID !== undefined,
    unknownLocale: chosenLocale ? undefined : languageTag,
    unknownZone: chosenZone ? undefined : zoneID,
    isStoreAvailable,
  };
}

const zoneOf = (browserZone: string | undefined, zones: Zones): Zone =>
  (browserZone === undefined ? undefined : zones.find(browserZone)) ?? zones.default;
