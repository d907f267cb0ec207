import { isUtf8 } from 'node:buffer';
import { maskMark } from './mask-mark.ts';
import { mayHaveEscapes, type Range, Unescaped, Work, wordsOf } from './secret-encodings.ts';
import { WordSearch, withMasks } from './word-search.ts';

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
  isIn(text: string, work = new Work()): boolean {
    if (text.length < this.shortest) return false;
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
  mask(text: string, end = text.length, work = new Work()): string {
    const window = text.slice(0, end + this.longest);
    if (window.length < this.shortest) return text.slice(0, end);
    const layers = mayHaveEscapes(window) ? Unescaped.layersOf(window, work) : [];
    if (layers === undefined) return maskMark;
    if (!this.#isInAny(window, layers, work)) return text.slice(0, end);
    const ranges = this.#rangesIn(window, layers, work);
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

  /** The same for one line of JSON, which stays JSON. Its tokens together may take no longer than any one text. */
  maskJsonLine(line: string): string {
    const finder = this.finder();
    const work = new Work();
    if (!finder.isIn(line, work)) return line;
    const masked = work.isDone ? line : line.replace(jsonTokens, (token) => maskedToken(token, finder, work));
    if (!work.isDone && !finder.isIn(masked, work)) return masked;
    // A secret that is made of several tokens, such as the JSON of a service account.
    const [, level = '50'] = /^\{"level":(\d+)/.exec(line) ?? [];
    const message = work.isDone ? maskMark : finder.mask(masked.trim());
    return `{"level":${level},"msg":${JSON.stringify(message)}}\n`;
  }
}

function maskedToken(token: string, finder: SecretFinder, work: Work): string {
  if (work.isDone) return '';
  if (!token.startsWith('"')) return finder.isIn(token, work) ? `"${maskMark}"` : token;
  const text = JSON.parse(token) as string;
  const shown = finder.mask(text, text.length, work);
  return shown === text ? token : JSON.stringify(shown);
}
