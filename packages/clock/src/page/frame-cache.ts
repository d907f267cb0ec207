import { type Evictable, evict } from '@jig/application/internal';
import type { PageFrame } from './page-frame.ts';
import type { OptionBlocks } from './split-template.ts';

interface KeptOptions {
  readonly blocks: OptionBlocks;
  readonly listKey: string;
  users: number;
}

interface KeptFrame extends Evictable {
  readonly key: string;
  readonly frame: PageFrame;
  readonly options: KeptOptions;
}

/** What a frame takes in addition to its options. */
const ownBytes = 12 * 1024;
/** What the deflated options take, as a share of the options. */
const deflatedShare = 0.25;

/** The frames that wait for a second request. Few: what survives two minor collections stays until a major one. */
const maxWaiting = 2;
/** The keys that are kept of frames that were requested before. */
const maxSeen = 4000;

/**
 * A cache of frames, bounded in bytes. A frame stays only after it was requested twice, so that a crawler that
 * walks through all locales takes no memory and evicts nothing.
 * Identical options of several locales are kept once.
 */
export class FrameCache {
  /** An array, not a Map: a Map that changes with every page leaves old hash tables behind, and those hold its former values. */
  readonly #waiting: KeptFrame[] = [];
  readonly #frames = new Map<string, KeptFrame>();
  readonly #seen = new Set<string>();
  /** Of the frames in `#frames`. */
  readonly #options = new Map<string, KeptOptions>();
  readonly #bound: number;
  #bytes = 0;

  constructor(bound: number) {
    this.#bound = bound;
  }

  get size(): number {
    return this.#frames.size + this.#waiting.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): PageFrame | undefined {
    const kept = this.#frames.get(key) ?? this.#promote(key);
    if (kept === undefined) return undefined;
    kept.wasUsed = true;
    return kept.frame;
  }

  /** The options, if the frame of another locale has them already. */
  options(listKey: string): OptionBlocks | undefined {
    return this.#keptOptions(listKey)?.blocks;
  }

  /** @param listKey equal for identical options */
  add(key: string, frame: PageFrame, listKey: string, blocks: OptionBlocks): PageFrame {
    // Two requests may have made the same frame at the same time.
    this.#remove(this.#frames.get(key) ?? this.#waiting.find((one) => one.key === key));
    const options = this.#keptOptions(listKey) ?? { blocks, listKey, users: 0 };
    if (options.users++ === 0) this.#bytes += bytesOf(options);
    this.#bytes += ownBytes;
    const kept = { key, frame, options, wasUsed: false };
    if (this.#seen.has(key)) this.#keep(kept);
    else this.#waiting.push(kept);
    if (this.#seen.size >= maxSeen) this.#seen.clear();
    this.#seen.add(key);
    this.#shrink(kept);
    return frame;
  }

  #keptOptions(listKey: string): KeptOptions | undefined {
    return this.#options.get(listKey) ?? this.#waiting.find(({ options }) => options.listKey === listKey)?.options;
  }

  /** Moves a waiting frame to the others on its second request. */
  #promote(key: string): KeptFrame | undefined {
    const place = this.#waiting.findIndex((one) => one.key === key);
    const [kept] = place === -1 ? [] : this.#waiting.splice(place, 1);
    if (kept) this.#keep(kept);
    return kept;
  }

  #keep(kept: KeptFrame): void {
    this.#frames.set(kept.key, kept);
    this.#options.set(kept.options.listKey, kept.options);
  }

  /** Waiting frames are evicted first. */
  #shrink(newest: KeptFrame): void {
    if (this.#waiting.length > maxWaiting) this.#remove(this.#waiting[0]);
    if (this.#bytes <= this.#bound) return;
    for (const waiting of this.#waiting.filter((one) => one !== newest)) this.#remove(waiting);
    const areTooBig = () => this.#bytes > this.#bound;
    evict(this.#frames, newest, areTooBig, (_key, kept) => this.#remove(kept));
  }

  #remove(kept: KeptFrame | undefined): void {
    if (kept === undefined) return;
    const { key, options } = kept;
    const place = this.#waiting.indexOf(kept);
    if (place === -1) this.#frames.delete(key);
    else this.#waiting.splice(place, 1);
    this.#bytes -= ownBytes;
    if (--options.users > 0) return;
    this.#options.delete(options.listKey);
    this.#bytes -= bytesOf(options);
  }
}

function bytesOf({ blocks: { locales, zones } }: KeptOptions): number {
  const texts = locales.text.length + zones.text.length;
  return Math.ceil(texts * (1 + deflatedShare)) + locales.marks.byteLength + zones.marks.byteLength;
}
