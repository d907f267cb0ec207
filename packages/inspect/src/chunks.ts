/** A document in the making: both the plain walk and the compiled writers hand it out in pieces like this. */
export interface ChunkSource {
  /** Whether anything was left out so far. */
  readonly truncated: boolean;
  /** Works a few milliseconds at most. The next piece, perhaps empty; undefined when the document is complete. */
  next(): Buffer | undefined;
  /** Ends the document early, but well-formed; `next` hands out the rest. */
  cut(): void;
  /** Frees everything at once. */
  abandon(): void;
}

/** Up to here Node has memory at hand. */
const smallSize = 4 * 1024;

/** Memory of one size, to be used again and again; what waits for its use is given up when the engine collects all garbage. */
class MemoryPool {
  readonly size: number;
  readonly #most: number;
  readonly #ours = new WeakSet<ArrayBufferLike>();
  #free = new WeakRef<ArrayBufferLike[]>([]);

  constructor({ size, most }: { readonly size: number; readonly most: number }) {
    this.size = size;
    this.#most = most;
  }

  take(): ArrayBufferLike {
    return this.#free.deref()?.pop() ?? this.#make();
  }

  release(memory: ArrayBufferLike): void {
    if (!this.#ours.has(memory)) return;
    const free = this.#free.deref() ?? [];
    if (free.length >= this.#most || free.includes(memory)) return;
    free.push(memory);
    if (free.length === 1) this.#free = new WeakRef(free);
  }

  #make(): ArrayBufferLike {
    const memory = Buffer.allocUnsafeSlow(this.size).buffer;
    this.#ours.add(memory);
    return memory;
  }
}

/**
 * Memory outside the heap makes the engine collect the whole heap every few megabytes, and with a big bean in it that
 * stops everything for a tenth of a second. So a document in chunks takes those that a socket has done with, and one that
 * is wanted whole takes the pieces of the one before.
 */
const chunks = new MemoryPool({ size: 96 * 1024, most: 16 });
const pieces = new MemoryPool({ size: 1536 * 1024, most: 32 });

/** Small ones come from Node's own pool; what is much smaller than a piece is not worth one. */
function poolFor(size: number): MemoryPool | undefined {
  if (size <= chunks.size) return size <= smallSize ? undefined : chunks;
  return size > pieces.size / 2 && size <= pieces.size ? pieces : undefined;
}

/** A buffer of this size, one that was handed back if there is one. */
export function takeChunk(size: number): Buffer {
  const pool = poolFor(size);
  return pool === undefined ? Buffer.allocUnsafe(size) : Buffer.from(pool.take() as ArrayBuffer, 0, size);
}

/** Takes a chunk back that nobody uses any more, so that a big document needs no more memory than a few of them. What does not come from here is left alone. */
export function releaseChunk({ buffer, length }: Buffer): void {
  poolFor(length)?.release(buffer);
}

/** All of them as one, in memory of its own; they are handed back. */
export function joinChunks(parts: readonly Buffer[]): Buffer {
  const first = parts[0];
  if (parts.length === 1 && first !== undefined && poolFor(first.length) === undefined) return first;
  const whole = Buffer.concat(parts);
  for (const part of parts) releaseChunk(part);
  return whole;
}
