import { createHash } from 'node:crypto';

/** A change has to lie within one range as a whole, so ranges are about as long as a function. */
const rangeLength = 12;

/** A number from 0 to 1 that depends on nothing but these texts. */
function chance(...texts) {
  return createHash('sha256').update(texts.join('\n')).digest().readUInt32BE() / 2 ** 32;
}

/** Ranges of lines of a file, as Stryker takes them, chosen by a seed: about the given share of all lines. */
export function sampledRanges(file, lineCount, share, seed) {
  if (share >= 1) return [file];
  const starts = Array.from({ length: Math.ceil(lineCount / rangeLength) }, (_, index) => index * rangeLength + 1);
  return starts
    .filter((start) => chance(seed, file, String(start)) < share)
    .map((start) => `${file}:${start}-${Math.min(start + rangeLength - 1, lineCount)}`);
}
