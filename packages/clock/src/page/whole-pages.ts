import { BoundedCache } from './bounded-cache.ts';
import { type EncodedPage, encodedPage } from './encoded-page.ts';

interface KeptPage {
  readonly second: number;
  /** Put together only once it has been asked for twice within its second. */
  readonly page: EncodedPage | undefined;
}

const bound = 4 * 1024 * 1024;
/** What an entry without a page weighs. */
const noteBytes = 100;

/** Pages that many ask for: put into one piece, for the rest of the second that they show. */
export class WholePages {
  readonly #pages = new BoundedCache<KeptPage>(bound);

  get size(): number {
    return this.#pages.size;
  }

  get bytes(): number {
    return this.#pages.weight;
  }

  get(key: string, second: number): EncodedPage | undefined {
    const kept = this.#pages.get(key);
    return kept?.second === second ? kept.page : undefined;
  }

  keep(key: string, second: number, page: EncodedPage): EncodedPage {
    if (this.#pages.get(key)?.second !== second) {
      this.#pages.set(key, { second, page: undefined }, noteBytes);
      return page;
    }
    const whole = encodedPage([Buffer.concat(page.parts)], page.encoding);
    this.#pages.set(key, { second, page: whole }, whole.length + noteBytes);
    return whole;
  }
}
