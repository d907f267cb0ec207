import type { OptionBlocks } from './page-cut.ts';
import type { PageFrame } from './page-frame.ts';

interface KeptOptions {
  readonly blocks: OptionBlocks;
  readonly likeness: string;
  users: number;
}

interface KeptFrame {
  readonly frame: PageFrame;
  readonly options: KeptOptions;
}

/** What a frame takes beside its options. */
const ownBytes = 12 * 1024;
/** What deflating adds to options. */
const deflatedShare = 0.25;

/** So many frames wait to be asked for again. Few, since what waits outlives two small collections, and its bytes then stay until a large one. */
const mostNew = 2;
/** So many keys are remembered of frames that were let go. */
const mostSeen = 4000;

/**
 * The frames that are asked for again and again, within a bound on bytes. A frame stays only once it has been asked for
 * twice, so that whoever walks through all locales takes no memory and drives nothing out.
 * Options that read the same in several locales are kept once.
 */
export class FrameCache {
  readonly #new = new Map<string, KeptFrame>();
  readonly #frames = new Map<string, KeptFrame>();
  readonly #seen = new Set<string>();
  readonly #options = new Map<string, KeptOptions>();
  readonly #bound: number;
  #bytes = 0;

  constructor(bound: number) {
    this.#bound = bound;
  }

  get size(): number {
    return this.#frames.size + this.#new.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): PageFrame | undefined {
    const kept = this.#frames.get(key) ?? this.#new.get(key);
    if (kept === undefined) return undefined;
    // A Map keeps the order of insertion, so the first entry is the one used longest ago.
    this.#new.delete(key);
    this.#frames.delete(key);
    this.#frames.set(key, kept);
    return kept.frame;
  }

  /** The options that another locale's frame has already. */
  options(likeness: string): OptionBlocks | undefined {
    return this.#options.get(likeness)?.blocks;
  }

  /** @param likeness equal for options that read the same */
  add(key: string, frame: PageFrame, likeness: string, blocks: OptionBlocks): PageFrame {
    // Two requests may have made the same frame at the same time.
    this.#remove(key);
    const generation = this.#seen.has(key) ? this.#frames : this.#new;
    generation.set(key, { frame, options: this.#use(likeness, blocks) });
    this.#bytes += ownBytes;
    if (this.#seen.size >= mostSeen) this.#seen.clear();
    this.#seen.add(key);
    this.#shrink(key);
    return frame;
  }

  #shrink(newest: string): void {
    const [oldestNew] = this.#new.keys();
    if (oldestNew !== undefined && this.#new.size > mostNew) this.#remove(oldestNew);
    for (const oldest of [...this.#new.keys(), ...this.#frames.keys()]) {
      if (this.#bytes <= this.#bound) break;
      if (oldest !== newest) this.#remove(oldest);
    }
  }

  #use(likeness: string, blocks: OptionBlocks): KeptOptions {
    const kept = this.#options.get(likeness) ?? { blocks, likeness, users: 0 };
    if (kept.users === 0) {
      this.#options.set(likeness, kept);
      this.#bytes += bytesOf(kept);
    }
    kept.users++;
    return kept;
  }

  #remove(key: string): void {
    const kept = this.#frames.get(key) ?? this.#new.get(key);
    if (kept === undefined) return;
    const { options } = kept;
    this.#frames.delete(key);
    this.#new.delete(key);
    this.#bytes -= ownBytes;
    options.users--;
    if (options.users > 0) return;
    this.#options.delete(options.likeness);
    this.#bytes -= bytesOf(options);
  }
}

function bytesOf({ blocks: { locales, zones } }: KeptOptions): number {
  const texts = locales.text.length + zones.text.length;
  return Math.ceil(texts * (1 + deflatedShare)) + locales.marks.byteLength + zones.marks.byteLength;
}
