import { type Evictable, evict } from '@jig/application/internal';
import type { PageFrame } from './page-frame.ts';
import type { OptionBlocks } from './split-template.ts';

interface KeptOptions {
  readonly blocks: OptionBlocks;
  readonly likeness: string;
  users: number;
}

interface KeptFrame extends Evictable {
  readonly key: string;
  readonly frame: PageFrame;
  readonly options: KeptOptions;
}

/** What a frame takes beside its options. */
const ownBytes = 12 * 1024;
/** What deflating adds to options. */
const deflatedShare = 0.25;

/** So many frames wait to be asked for again. Few, since what waits outlives two small collections, and its bytes then stay until a large one. */
const mostWaiting = 2;
/** So many keys are remembered of frames that were let go. */
const mostSeen = 4000;

/**
 * The frames that are asked for again and again, within a bound on bytes. A frame stays only once it has been asked for
 * twice, so that whoever walks through all locales takes no memory and drives nothing out.
 * Options that read the same in several locales are kept once.
 */
export class FrameCache {
  /** A list, not a Map: a Map that something enters and leaves with every page leaves tables behind, and those hold what was in it. */
  readonly #waiting: KeptFrame[] = [];
  readonly #frames = new Map<string, KeptFrame>();
  readonly #seen = new Set<string>();
  /** Those of frames that no longer wait. */
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
    const kept = this.#frames.get(key) ?? this.#proven(key);
    if (kept === undefined) return undefined;
    kept.wasUsed = true;
    return kept.frame;
  }

  /** The options that another locale's frame has already. */
  options(likeness: string): OptionBlocks | undefined {
    return this.#keptOptions(likeness)?.blocks;
  }

  /** @param likeness equal for options that read the same */
  add(key: string, frame: PageFrame, likeness: string, blocks: OptionBlocks): PageFrame {
    // Two requests may have made the same frame at the same time.
    this.#remove(this.#frames.get(key) ?? this.#waiting.find((one) => one.key === key));
    const options = this.#keptOptions(likeness) ?? { blocks, likeness, users: 0 };
    if (options.users++ === 0) this.#bytes += bytesOf(options);
    this.#bytes += ownBytes;
    const kept = { key, frame, options, wasUsed: false };
    if (this.#seen.has(key)) this.#keep(kept);
    else this.#waiting.push(kept);
    if (this.#seen.size >= mostSeen) this.#seen.clear();
    this.#seen.add(key);
    this.#shrink(kept);
    return frame;
  }

  #keptOptions(likeness: string): KeptOptions | undefined {
    return this.#options.get(likeness) ?? this.#waiting.find(({ options }) => options.likeness === likeness)?.options;
  }

  /** One that waited, and now was asked for again. */
  #proven(key: string): KeptFrame | undefined {
    const place = this.#waiting.findIndex((one) => one.key === key);
    const [kept] = place === -1 ? [] : this.#waiting.splice(place, 1);
    if (kept) this.#keep(kept);
    return kept;
  }

  #keep(kept: KeptFrame): void {
    this.#frames.set(kept.key, kept);
    this.#options.set(kept.options.likeness, kept.options);
  }

  /** Those that wait go first. */
  #shrink(newest: KeptFrame): void {
    if (this.#waiting.length > mostWaiting) this.#remove(this.#waiting[0]);
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
    this.#options.delete(options.likeness);
    this.#bytes -= bytesOf(options);
  }
}

function bytesOf({ blocks: { locales, zones } }: KeptOptions): number {
  const texts = locales.text.length + zones.text.length;
  return Math.ceil(texts * (1 + deflatedShare)) + locales.marks.byteLength + zones.marks.byteLength;
}
