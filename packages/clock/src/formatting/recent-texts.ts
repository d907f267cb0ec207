/** What was written of numbers lately; of seconds or days, say, of which there are only so many at any instant. */
export class RecentTexts {
  readonly #texts = new Map<number, string>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  text(number: number, write: () => string): string {
    const known = this.#texts.get(number);
    if (known !== undefined) return known;
    const text = write();
    if (this.#texts.size >= this.#capacity) this.#texts.clear();
    this.#texts.set(number, text);
    return text;
  }
}
