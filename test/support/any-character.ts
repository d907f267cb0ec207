import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };
const characterAt = (place: number): string =>
  String.fromCodePoint(place < surrogates.first ? place : place + surrogates.count);

function placeOf(character: unknown): number {
  const point = String(character).codePointAt(0) ?? 0;
  const place = point < surrogates.first ? point : point - surrogates.count;
  if (characterAt(place) !== character) throw new Error('not a character');
  return place;
}

/** As the unit `binary`, without its list of a million characters, which takes each process a second. */
export const anyCharacter = fc.integer({ min: 0, max: 0x10_ffff - surrogates.count }).map(characterAt, placeOf);
