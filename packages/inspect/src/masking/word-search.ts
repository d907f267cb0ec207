import { maskMark } from './mask-mark.ts';
import { type Range, type Word, Work } from './secret-encodings.ts';

/** The text up to an end, with a mask for each range that begins before it; the ranges are sorted. */
export function withMasks(text: string, ranges: readonly Range[], end: number): string {
  let masked = '';
  let read = 0;
  for (const [from, to] of ranges) {
    if (from >= end) break;
    if (from >= read) masked += text.slice(read, from) + maskMark;
    read = Math.max(read, to);
  }
  return masked + text.slice(read, end);
}

const gramLength = 4;
/** Looking at fewer places than one in so many would save little, and every word has as many runs to be known. */
const longestStep = 16;
const bucketCount = 1 << 14;
/** What it takes to remember where a word stands, and to sort that. */
const rangeUnits = 120;
const partOfBase64 = /[\w+/-]/;

/** A run of four characters: the word that it is part of, its place there, and another run in the same bucket. */
interface Gram {
  readonly word: Word;
  readonly offset: number;
  readonly next: Gram | undefined;
}

/**
 * Finds words in texts. Knows the first few runs of four characters of each word; one of them stands at one of every
 * few places of a text that holds the word, so that only those are looked at: the longer the words, the fewer.
 */
export class WordSearch {
  readonly shortest: number;
  readonly #step: number;
  readonly #known = new Uint8Array(bucketCount);
  readonly #grams = new Map<number, Gram>();

  /** None of the words is shorter than four characters. */
  constructor(words: readonly Word[]) {
    const distinct = new Map(words.map((word) => [word.text, word]));
    this.shortest = words.reduce((least, { text }) => Math.min(least, text.length), Number.POSITIVE_INFINITY);
    this.#step = Math.min(this.shortest - gramLength + 1, longestStep);
    for (const word of distinct.values()) {
      for (let offset = 0; offset < this.#step; offset++) {
        const bucket = bucketOf(word.text, offset);
        this.#grams.set(bucket, { word, offset, next: this.#grams.get(bucket) });
        this.#known[bucket] = 1;
      }
    }
  }

  isIn(text: string, work?: Work): boolean {
    const step = this.#step;
    if (work?.spend(text.length >> 2) === false) return true;
    for (let place = step - 1; place + gramLength <= text.length; place += step) {
      const bucket = bucketOf(text, place);
      if (this.#known[bucket] === 1 && this.#matchAt(text, place, this.#grams.get(bucket), work)) return true;
    }
    return false;
  }

  /** The text with a mask in the place of each word. */
  mask(text: string): string {
    const work = new Work();
    const ranges = this.rangesIn(text, work).sort(([a], [b]) => a - b);
    return work.isDone ? maskMark : withMasks(text, ranges, text.length);
  }

  /** Where words stand, in no particular order. */
  rangesIn(text: string, work: Work): Range[] {
    const ranges: Range[] = [];
    const step = this.#step;
    work.spend(text.length >> 2);
    for (let place = step - 1; place + gramLength <= text.length; place += step) {
      let match = this.#matchAt(text, place, this.#grams.get(bucketOf(text, place)), work);
      for (; match !== undefined; match = this.#matchAt(text, place, match.next, work)) {
        if (!work.spend(rangeUnits)) return ranges;
        ranges.push(rangeOf(text, place - match.offset, match.word));
      }
    }
    return ranges;
  }

  /** The first of these runs whose word stands in the text, with the run at this place. */
  #matchAt(text: string, place: number, first: Gram | undefined, work?: Work): Gram | undefined {
    let gram = first;
    while (gram !== undefined && !(gram.offset <= place && text.startsWith(gram.word.text, place - gram.offset))) {
      // A word may differ from the text in its last character only.
      if (work?.spend(4 + (gram.word.text.length >> 5)) === false) return gram;
      gram = gram.next;
    }
    return gram;
  }
}

function rangeOf(text: string, start: number, { text: { length }, before, after }: Word): Range {
  const end = start + length;
  const first = before === 1 && start > 0 && partOfBase64.test(text.charAt(start - 1)) ? start - 1 : start;
  const last = after === 1 && partOfBase64.test(text.charAt(end)) ? end + 1 : end;
  return [first, last];
}

function bucketOf(text: string, start: number): number {
  const first = text.charCodeAt(start) * 31 + text.charCodeAt(start + 1);
  const second = text.charCodeAt(start + 2) * 31 + text.charCodeAt(start + 3);
  return (first * 4099 + second) & (bucketCount - 1);
}
