import { isUtf8 } from 'node:buffer';
import { maskMark } from './mask-mark.ts';
import { mayHaveEscapes, type Range, Unescaped, type Word, Work, wordsOf } from './secret-encodings.ts';

export { maskMark };

/** A shorter text is part of many others by chance, and masking it there would tell what it is. */
const shortestSecret = 6;

/** How many characters one character of a secret may take, when it is escaped several times. */
const longestEscape = 16;

/** Finds known secrets, and whatever can be turned back into them, in any text or bytes. Never changes. */
export class SecretFinder {
  /** Texts shorter than this cannot hold a secret. */
  readonly shortest: number;
  /** A secret that begins in a text ends within so many characters, however it is written. */
  readonly longest: number;
  /** Whether a number may be a secret. */
  readonly hasNumbers: boolean;
  readonly #hasWide: boolean;
  readonly #words: WordSearch;

  constructor(secrets: Iterable<string>) {
    const known = [...new Set(secrets)].filter((secret) => secret.length >= shortestSecret);
    this.#words = new WordSearch(known.flatMap(wordsOf).filter(({ text }) => text.length >= shortestSecret));
    this.shortest = this.#words.shortest;
    this.longest = known.reduce((most, { length }) => Math.max(most, length), 0) * longestEscape;
    this.hasNumbers = known.some((secret) => /^[-+.e\d]+$/.test(secret));
    this.#hasWide = known.some((secret) => /[^\0-\xff]/.test(secret));
  }

  /** Whether a secret is in the text, in any way in which it can be written. */
  isIn(text: string): boolean {
    if (text.length < this.shortest) return false;
    const work = new Work();
    return this.#words.isIn(text, work) || (mayHaveEscapes(text) && this.isEscapedIn(text, work));
  }

  /** Whether a secret is in the text as it stands, which is all there is to ask of a text without escapes. */
  isWrittenIn(text: string): boolean {
    return this.#words.isIn(text);
  }

  /** Also when there is too much to be undone. */
  isEscapedIn(text: string, work = new Work()): boolean {
    const layers = Unescaped.layersOf(text, work);
    return layers === undefined || layers.some((layer) => this.#words.isIn(layer.text, work));
  }

  isInNumber(number: number | bigint): boolean {
    return this.hasNumbers && this.isIn(String(number));
  }

  /** Whether the bytes hold a secret as UTF-8, Latin-1, UTF-16 or UTF-32, or as a text that holds it. */
  isInBytes(bytes: Uint8Array): boolean {
    if (bytes.length < this.shortest) return false;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const text = buffer.toString(isUtf8(buffer) ? 'utf8' : 'latin1');
    if (this.isIn(text)) return true;
    // In the wider encodings, each byte of Latin-1 stands among zeros.
    if (text.includes('\0') && this.isIn(text.replaceAll('\0', ''))) return true;
    return this.#hasWide && [...utf16Texts(buffer), ...utf32Texts(buffer)].some((each) => this.isIn(each));
  }

  /**
   * The text up to an end, with each secret that begins before it replaced; the very same text when it holds none.
   * What takes too long to clear is masked as a whole.
   */
  mask(text: string, end = text.length): string {
    const window = text.slice(0, end + this.longest);
    if (window.length < this.shortest) return text.slice(0, end);
    const work = new Work();
    const layers = mayHaveEscapes(window) ? Unescaped.layersOf(window, work) : [];
    const isFound = layers === undefined || this.#isInAny(window, layers, work);
    if (!isFound) return text.slice(0, end);
    const ranges = this.#rangesIn(window, layers ?? [], work);
    return work.isDone ? maskMark : withMasks(window, ranges, end);
  }

  #isInAny(text: string, layers: readonly Unescaped[], work: Work): boolean {
    return this.#words.isIn(text, work) || layers.some((layer) => this.#words.isIn(layer.text, work));
  }

  #rangesIn(text: string, layers: readonly Unescaped[], work: Work): Range[] {
    const ranges = this.#words.rangesIn(text, work);
    for (const layer of layers) {
      for (const range of this.#words.rangesIn(layer.text, work)) ranges.push(layer.original(range));
    }
    return ranges.sort(([a], [b]) => a - b);
  }
}

/** The text up to an end, with a mask for each range that begins before it; the ranges are sorted. */
function withMasks(text: string, ranges: readonly Range[], end: number): string {
  let masked = '';
  let read = 0;
  for (const [from, to] of ranges) {
    if (from >= end) break;
    if (from >= read) masked += text.slice(read, from) + maskMark;
    read = Math.max(read, to);
  }
  return masked + text.slice(read, end);
}

/** Bytes as UTF-16 of either byte order, from either alignment. */
function utf16Texts(buffer: Buffer): string[] {
  return [0, 1].flatMap((from) => {
    const units = Buffer.from(buffer.subarray(from, from + ((buffer.length - from) & ~1)));
    return [units.toString('utf16le'), units.swap16().toString('utf16le')];
  });
}

/** Bytes as UTF-32 of either byte order, from any alignment. */
function utf32Texts(buffer: Buffer): string[] {
  return [0, 1, 2, 3].flatMap((from) => {
    const units = Buffer.from(buffer.subarray(from, from + ((buffer.length - from) & ~3)));
    return [codePoints(units), codePoints(units.swap32())];
  });
}

/** A number that is no code point becomes the replacement character. */
function codePoints(units: Buffer): string {
  let text = '';
  for (let offset = 0; offset < units.length; offset += 4) {
    const code = units.readUInt32LE(offset);
    text += code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
  }
  return text;
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
class WordSearch {
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

/** The strings and numbers of JSON, keys included. */
const jsonTokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.e+-]*/gi;

/** The texts that must never be shown, whoever comes across them: in a log line, in a bean, in an error. */
export class Secrets {
  readonly #values = new Set<string>();
  #finder: SecretFinder | undefined;

  /** Takes no notice of a text of less than six characters. */
  add(value: string): void {
    if (value.length < shortestSecret || this.#values.has(value)) return;
    this.#values.add(value);
    this.#finder = undefined;
  }

  get count(): number {
    return this.#values.size;
  }

  /** Finds the secrets that are known by now. A method, so that nobody is shown them by looking at this bean. */
  finder(): SecretFinder {
    this.#finder ??= new SecretFinder(this.#values);
    return this.#finder;
  }

  /** The text with every secret in it replaced; the very same text when it holds none. */
  mask(text: string): string {
    return this.finder().mask(text);
  }

  /** The same for one line of JSON, which stays JSON. */
  maskJsonLine(line: string): string {
    const finder = this.finder();
    if (!finder.isIn(line)) return line;
    const masked = line.replace(jsonTokens, (token) => {
      if (!token.startsWith('"')) return finder.isIn(token) ? `"${maskMark}"` : token;
      const text = JSON.parse(token) as string;
      const shown = finder.mask(text);
      return shown === text ? token : JSON.stringify(shown);
    });
    if (!finder.isIn(masked)) return masked;
    // A secret that is made of several tokens, such as the JSON of a service account.
    const [, level = '50'] = /^\{"level":(\d+)/.exec(line) ?? [];
    return `{"level":${level},"msg":${JSON.stringify(finder.mask(masked.trim()))}}\n`;
  }
}
