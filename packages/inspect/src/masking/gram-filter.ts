const gramLength = 4;
const bucketCount = 1 << 14;

/**
 * Knows every four characters in a row of some words. A text that holds a word has such a four at one of every few
 * places, so only those are looked at: the longer the words, the fewer.
 */
export class GramFilter {
  readonly #known = new Uint8Array(bucketCount);
  readonly #step: number;

  /** None of the words is shorter than the shortest, which is at least four. */
  constructor(words: readonly string[], shortest: number) {
    this.#step = shortest - gramLength + 1;
    for (const word of words) {
      for (let start = 0; start + gramLength <= word.length; start++) this.#known[bucketOf(word, start)] = 1;
    }
  }

  mayBeIn(text: string): boolean {
    const step = this.#step;
    for (let start = step - 1; start + gramLength <= text.length; start += step) {
      if (this.#known[bucketOf(text, start)] === 1) return true;
    }
    return false;
  }
}

function bucketOf(text: string, start: number): number {
  const first = text.charCodeAt(start) * 31 + text.charCodeAt(start + 1);
  const second = text.charCodeAt(start + 2) * 31 + text.charCodeAt(start + 3);
  return (first * 4099 + second) & (bucketCount - 1);
}
