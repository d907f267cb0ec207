import { type EncodedPage, encodedPage } from './encoded-page.ts';

const bound = 4 * 1024 * 1024;

/** Pages that many ask for: put into one piece on the second request, and kept for the rest of the second that they show. */
export class WholePages {
  readonly #pages = new Map<string, EncodedPage | undefined>();
  #second = 0;
  #bytes = 0;

  get size(): number {
    return this.#pages.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string, second: number): EncodedPage | undefined {
    if (second === this.#second) return this.#pages.get(key);
    this.#pages.clear();
    this.#second = second;
    this.#bytes = 0;
    return undefined;
  }

  /** Gives the page back, in one piece if it is kept. */
  keep(key: string, second: number, page: EncodedPage): EncodedPage {
    if (second !== this.#second || this.#bytes + page.length > bound) return page;
    if (!this.#pages.has(key)) {
      this.#pages.set(key, undefined);
      return page;
    }
    const whole = encodedPage([Buffer.concat(page.parts)], page.encoding);
    this.#pages.set(key, whole);
    this.#bytes += whole.length;
    return whole;
  }
}
