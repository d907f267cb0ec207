import { maskMark } from './secrets.ts';

/** Shorter texts are not learned; texts of at least `minPartLength` are also masked inside of others. */
const minLength = 4;
const minPartLength = 12;
const maxPartLength = 4096;
/** More would make masking of every text slow. */
const maxTexts = 5000;
const maxParts = 200;

/** Values of secret keys that are settings or placeholders. */
const notSecret =
  /^(?:true|false|null|none|undefined|include|omit|same-origin|bearer|basic|default|required|optional|\*+)$/i;

/** Texts that are masked everywhere, because they are the value of a secret key at some place. */
export class LearnedTexts {
  readonly #whole = new Set<string>();
  readonly #parts: string[] = [];

  get isEmpty(): boolean {
    return this.#whole.size === 0;
  }

  /** Keeps the texts out of documents of this object. */
  toJSON() {
    return { count: this.#whole.size };
  }

  add(text: string): void {
    if (text.length < minLength || this.#whole.size >= maxTexts || notSecret.test(text) || this.#whole.has(text))
      return;
    this.#whole.add(text);
    if (text.length >= minPartLength && text.length <= maxPartLength && this.#parts.length < maxParts)
      this.#parts.push(text);
  }

  addAll(other: LearnedTexts): void {
    for (const text of other.#whole) this.add(text);
  }

  /** Whether `other` contains all of these. */
  isWithin(other: LearnedTexts): boolean {
    return [...this.#whole].every((text) => other.#whole.has(text));
  }

  /** Whether any of these may be in a document, possibly escaped. */
  mayBeIn(document: string): boolean {
    return [...this.#whole].some((text) => /[^\w.-]|^[\d.-]|_x/.test(text) || document.includes(text));
  }

  mask(text: string): string {
    return this.#whole.has(text) ? maskMark : this.maskParts(text);
  }

  maskParts(text: string): string {
    if (text.length < minPartLength) return text;
    return this.#parts.reduce((shown, part) => (shown.includes(part) ? shown.replaceAll(part, maskMark) : shown), text);
  }
}
