import { BoundedCache, type Evictable, evict } from '@jig/application/internal';
import type { LocalePage } from './locale-page.ts';
import type { OptionBlocks } from './split-template.ts';

interface SharedOptions {
  readonly blocks: OptionBlocks;
  readonly listKey: string;
  users: number;
}

interface CachedPage extends Evictable {
  readonly key: string;
  readonly page: LocalePage;
  readonly options: SharedOptions;
}

/** What a page takes in addition to its options. */
const ownBytes = 20 * 1024;
/** What the deflated options take, as a share of the options. */
const deflatedShare = 0.25;

/** The pages that wait for a second request. Few: what survives two minor collections stays until a major one. */
const maxWaiting = 2;
/** The keys of pages that were requested before that are remembered. */
const maxSeen = 4000;

/**
 * A cache of pages, bounded in bytes. A page is kept only after it was requested twice, so that a crawler that
 * walks through all locales takes no memory and evicts nothing.
 * Identical options of several locales are kept once.
 */
export class PageCache {
  /** An array, not a Map: a Map that changes with every page leaves old hash tables behind, and those hold its former values. */
  readonly #waiting: CachedPage[] = [];
  readonly #pages = new Map<string, CachedPage>();
  readonly #seen = new BoundedCache<true>(maxSeen);
  /** Of the pages in `#pages`. */
  readonly #options = new Map<string, SharedOptions>();
  readonly #bound: number;
  #bytes = 0;

  constructor(bound: number) {
    this.#bound = bound;
  }

  get size(): number {
    return this.#pages.size + this.#waiting.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): LocalePage | undefined {
    const cached = this.#pages.get(key) ?? this.#promote(key);
    if (cached === undefined) return undefined;
    cached.wasUsed = true;
    return cached.page;
  }

  /** The options, if the page of another locale has them already. */
  options(listKey: string): OptionBlocks | undefined {
    return this.#sharedOptions(listKey)?.blocks;
  }

  /** @param listKey equal for identical options */
  add(key: string, page: LocalePage, listKey: string, blocks: OptionBlocks): LocalePage {
    // Two requests may have made the same page at the same time.
    this.#remove(this.#pages.get(key) ?? this.#waiting.find((one) => one.key === key));
    const options = this.#sharedOptions(listKey) ?? { blocks, listKey, users: 0 };
    if (options.users++ === 0) this.#bytes += bytesOf(options);
    this.#bytes += ownBytes;
    const cached = { key, page, options, wasUsed: false };
    if (this.#seen.get(key)) this.#keep(cached);
    else this.#waiting.push(cached);
    this.#seen.set(key, true);
    this.#shrink(cached);
    return page;
  }

  #sharedOptions(listKey: string): SharedOptions | undefined {
    return this.#options.get(listKey) ?? this.#waiting.find(({ options }) => options.listKey === listKey)?.options;
  }

  /** Moves a waiting page to the others on its second request. */
  #promote(key: string): CachedPage | undefined {
    const place = this.#waiting.findIndex((one) => one.key === key);
    const [cached] = place === -1 ? [] : this.#waiting.splice(place, 1);
    if (cached) this.#keep(cached);
    return cached;
  }

  #keep(cached: CachedPage): void {
    this.#pages.set(cached.key, cached);
    this.#options.set(cached.options.listKey, cached.options);
  }

  /** Waiting pages are evicted first. */
  #shrink(newest: CachedPage): void {
    if (this.#waiting.length > maxWaiting) this.#remove(this.#waiting[0]);
    if (this.#bytes <= this.#bound) return;
    for (const waiting of this.#waiting.filter((one) => one !== newest)) this.#remove(waiting);
    const areTooBig = () => this.#bytes > this.#bound;
    evict(this.#pages, newest, areTooBig, (_key, cached) => this.#remove(cached));
  }

  #remove(cached: CachedPage | undefined): void {
    if (cached === undefined) return;
    const { key, options } = cached;
    const place = this.#waiting.indexOf(cached);
    if (place === -1) this.#pages.delete(key);
    else this.#waiting.splice(place, 1);
    this.#bytes -= ownBytes;
    if (--options.users > 0) return;
    this.#options.delete(options.listKey);
    this.#bytes -= bytesOf(options);
  }
}

function bytesOf({ blocks: { locales, zones } }: SharedOptions): number {
  const texts = locales.text.length + zones.text.length;
  return Math.ceil(texts * (1 + deflatedShare)) + locales.marks.byteLength + zones.marks.byteLength;
}
