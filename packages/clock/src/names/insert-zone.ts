import type { Zone } from '../zones/zone.ts';
import type { NamedZone } from './named-lists.ts';

/** Puts a zone that is not among the offered ones in its place: by raw offset, daylight amount and identifier. */
export function insertZone(zones: readonly NamedZone[], zone: Zone, languageTag: string): NamedZone[] {
  const { id, rawOffset, daylightSavings } = zone;
  const collator = new Intl.Collator(languageTag);
  const comesLater = (other: NamedZone) =>
    other.rawOffset - rawOffset || other.daylightSavings - daylightSavings || collator.compare(other.id, id);
  const place = zones.findIndex((other) => comesLater(other) > 0);
  return zones.toSpliced(place === -1 ? zones.length : place, 0, { id, rawOffset, daylightSavings, displayName: id });
}
