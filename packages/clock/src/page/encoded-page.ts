import { Problem } from '@jig/application';
import { preferredEncoding } from '@jig/http';
import { memoize } from '../memoize.ts';

export type ContentEncoding = 'gzip' | 'identity';

/** A page as it is sent. */
export interface EncodedPage {
  /** The body in consecutive parts. */
  readonly parts: readonly Buffer[];
  /** In bytes. */
  readonly length: number;
  readonly encoding: ContentEncoding;
}

export function encodedPage(parts: readonly Buffer[], encoding: ContentEncoding): EncodedPage {
  let length = 0;
  for (const part of parts) length += part.length;
  return { parts, length, encoding };
}

/** The encoding that an `Accept-Encoding` header prefers. */
export const pageEncoding = (header = ''): ContentEncoding => preferred(header);

const preferred = memoize((header: string): ContentEncoding => {
  const encoding = preferredEncoding(header, ['gzip']);
  if (encoding === undefined) throw new Problem(406);
  return encoding;
});

const bound = 4 * 1024 * 1024;
/** Requests for different pages in one second that are remembered. */
const maxPages = 2000;

/** Pages requested more than once within a second, each as one buffer, kept until that second is over. */
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

  /** Returns the page, as one buffer if it is kept. */
  keep(key: string, second: number, page: EncodedPage): EncodedPage {
    if (second !== this.#second || this.#bytes + page.length > bound) return page;
    if (!this.#pages.has(key)) {
      if (this.#pages.size < maxPages) this.#pages.set(key, undefined);
      return page;
    }
    const whole = encodedPage([Buffer.concat(page.parts)], page.encoding);
    this.#pages.set(key, whole);
    this.#bytes += whole.length;
    return whole;
  }
}
