import type { Zone } from '../zones/zone.ts';

type SortedZone = Pick<Zone, 'id' | 'rawOffset' | 'daylightSavings'>;

/** Where a zone that is not among the sorted ones belongs: by raw offset, daylight amount and identifier. */
export function placeAmong(zones: readonly SortedZone[], zone: SortedZone, languageTag: string): number {
  const collator = new Intl.Collator(languageTag);
  const comesLater = (other: SortedZone) =>
    other.rawOffset - zone.rawOffset ||
    other.daylightSavings - zone.daylightSavings ||
    collator.compare(other.id, zone.id);
  const place = zones.findIndex((other) => comesLater(other) > 0);
  return place === -1 ? zones.length : place;
}
