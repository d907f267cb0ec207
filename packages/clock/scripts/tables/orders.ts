import type { SupportedZone } from './supported-zones.ts';

/** The positions of `tags`, sorted as `effective` collates language tags: hyphens do not count but for breaking ties. */
export function localeOrder(tags: readonly string[], effective: string): number[] {
  const collator = new Intl.Collator(effective);
  const keys = tags.map((tag) => tag.replaceAll('-', ''));
  return sortedPositions(tags, (a, b) => collator.compare(keys[a] ?? '', keys[b] ?? '') || codeUnits(tags, a, b));
}

/** The positions of `zones`, sorted by raw offset, then daylight amount, then identifier as `effective` collates it. */
export function zoneOrder(zones: readonly SupportedZone[], effective: string): number[] {
  const collator = new Intl.Collator(effective);
  const ids = zones.map((zone) => zone.id);
  const keys = ids.map((id) => id.replaceAll('-', ''));
  return sortedPositions(zones, (a, b) => {
    const [first, second] = [zones[a], zones[b]];
    if (!first || !second) return 0;
    return (
      first.raw - second.raw ||
      first.daylight - second.daylight ||
      collator.compare(keys[a] ?? '', keys[b] ?? '') ||
      first.id.length - second.id.length ||
      codeUnits(ids, a, b)
    );
  });
}

const codeUnits = (texts: readonly string[], a: number, b: number): number =>
  (texts[a] ?? '') < (texts[b] ?? '') ? -1 : 1;

const sortedPositions = (items: readonly unknown[], compare: (a: number, b: number) => number): number[] =>
  [...items.keys()].sort(compare);
