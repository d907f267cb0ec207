import { maskMark } from './mask-mark.ts';
import { WordSearch } from './word-search.ts';

/** A shorter text may be anything; from the longer one on, a text is also masked as a part of others. */
const shortestWhole = 4;
const shortestPart = 12;
const longestPart = 4096;
/** To know more would take too long. */
const mostTexts = 5000;
const mostParts = 1000;

/** Texts that no document escapes. */
const plainText = /^[ !#-%(-;=?-[\]-~]*$/;
const mostSearched = 100;

/** Texts that stand behind secret keys, but are no secrets: settings and placeholders. */
const noSecret =
  /^(?:true|false|null|none|undefined|include|omit|same-origin|bearer|basic|default|required|optional|\*+)$/i;

/** A key as it is written, where that escapes more of it than of a text. */
type NameOf = (key: string) => string;

/** Whether a key may be this text, or have it as a part. */
function mayBeInName(document: Buffer | string, text: string, nameOf: NameOf): boolean {
  // In XML, what follows decides whether an underscore is escaped.
  if (/_(?:x|$)/.test(text)) return true;
  return document.includes(nameOf(text)) || document.includes(nameOf(`a${text}`).slice(1));
}

/** The texts that are masked at one place because of their key, so that they are masked wherever else they stand. */
export class LearnedTexts {
  readonly #whole = new Set<string>();
  readonly #parts: string[] = [];
  #search: WordSearch | undefined;

  get isEmpty(): boolean {
    return this.#whole.size === 0;
  }

  /** Whether no more are taken. */
  get isFull(): boolean {
    return this.#whole.size >= mostTexts;
  }

  add(text: string): void {
    if (text.length < shortestWhole || this.isFull || noSecret.test(text) || this.#whole.has(text)) return;
    this.#whole.add(text);
    if (text.length < shortestPart || text.length > longestPart || this.#parts.length >= mostParts) return;
    this.#parts.push(text);
    this.#search = undefined;
  }

  addAll(other: LearnedTexts): void {
    for (const text of other.#whole) this.add(text);
  }

  /** Whether another knows all of these. */
  isWithin(other: LearnedTexts): boolean {
    for (const text of this.#whole) if (!other.#whole.has(text)) return false;
    return true;
  }

  /** Whether a document may show one of the texts, or what other rules have left of it. */
  mayBeIn(document: Buffer | string, masking: { text(text: string): string }, nameOf?: NameOf): boolean {
    if (this.#whole.size > mostSearched) return true;
    for (const text of this.#whole) {
      if (!plainText.test(text) || document.includes(text) || masking.text(text) !== text) return true;
      if (nameOf !== undefined && mayBeInName(document, text, nameOf)) return true;
    }
    return false;
  }

  isIn(text: string): boolean {
    return this.#whole.has(text) || this.isPartOf(text);
  }

  isPartOf(text: string): boolean {
    return text.length >= shortestPart && this.#parts.length > 0 && this.#finder().isIn(text);
  }

  mask(text: string): string {
    return this.#whole.has(text) ? maskMark : this.maskParts(text);
  }

  maskParts(text: string): string {
    return this.isPartOf(text) ? this.#finder().mask(text) : text;
  }

  #finder(): WordSearch {
    this.#search ??= new WordSearch(this.#parts.map((text) => ({ text, before: 0, after: 0 })));
    return this.#search;
  }
}
