import { maskMark } from './secrets.ts';

/** A shorter text may be anything; from the longer one on, a text is also masked as a part of others. */
const shortestWhole = 4;
const shortestPart = 12;
const longestPart = 4096;
/** To look for more would take too long. */
const mostTexts = 5000;
const mostParts = 200;

/** Texts that stand behind secret keys, but are no secrets: settings and placeholders. */
const noSecret =
  /^(?:true|false|null|none|undefined|include|omit|same-origin|bearer|basic|default|required|optional|\*+)$/i;

/** The texts that are masked at one place because of their key, so that they are masked wherever else they stand. */
export class LearnedTexts {
  readonly #whole = new Set<string>();
  readonly #parts: string[] = [];

  get isEmpty(): boolean {
    return this.#whole.size === 0;
  }

  add(text: string): void {
    if (text.length < shortestWhole || this.#whole.size >= mostTexts || noSecret.test(text) || this.#whole.has(text))
      return;
    this.#whole.add(text);
    if (text.length >= shortestPart && text.length <= longestPart && this.#parts.length < mostParts)
      this.#parts.push(text);
  }

  addAll(other: LearnedTexts): void {
    for (const text of other.#whole) this.add(text);
  }

  /** Whether another knows all of these. */
  isWithin(other: LearnedTexts): boolean {
    return [...this.#whole].every((text) => other.#whole.has(text));
  }

  /** Whether any of these may be in a document, which may escape it: JSON in texts, XML in names too. */
  mayBeIn(document: string): boolean {
    return [...this.#whole].some((text) => /[^\w.-]|^[\d.-]|_x/.test(text) || document.includes(text));
  }

  mask(text: string): string {
    return this.#whole.has(text) ? maskMark : this.maskParts(text);
  }

  maskParts(text: string): string {
    if (text.length < shortestPart) return text;
    return this.#parts.reduce((shown, part) => (shown.includes(part) ? shown.replaceAll(part, maskMark) : shown), text);
  }
}
