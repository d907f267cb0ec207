// Imported, since the global is a getter.
import { Buffer } from 'node:buffer';

/** How long to work before other work of the event loop runs, in milliseconds. */
export const maxSliceMs = 3;

/** A document that is being written. */
export interface ChunkSource {
  /** Whether anything was left out so far. */
  readonly truncated: boolean;
  /** Works for a few milliseconds, unless code of a bean takes longer. The next chunk, possibly empty; undefined when the document is complete. */
  next(): Buffer | undefined;
  /** Ends the document early, but well-formed; `next` returns the rest. */
  cut(): void;
  /** Frees everything at once. */
  abandon(): void;
}

/** Buffers up to this size come from the pool of Node itself. */
export const smallSize = 4 * 1024;

/** Memory of one size that is reused. Free memory is referenced weakly, so that a full garbage collection releases it. */
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
 * Allocating memory outside the heap makes V8 collect the whole heap every few megabytes, which blocks the process for
 * 100 ms when a big bean is in it. So chunks are reused once a socket has sent them, and a document that is written at
 * once reuses the pieces of the one before.
 */
const chunks = new MemoryPool({ size: 96 * 1024, most: 16 });
/** The size of the largest piece of a document that is reused. */
export const pieceSize = 1536 * 1024;
const pieces = new MemoryPool({ size: pieceSize, most: 32 });

/** None for small buffers, and for those that are much smaller than a piece. */
function poolFor(size: number): MemoryPool | undefined {
  if (size <= chunks.size) return size <= smallSize ? undefined : chunks;
  return size > pieces.size / 2 && size <= pieces.size ? pieces : undefined;
}

/** A buffer of this size, a released one if possible. */
export function takeChunk(size: number): Buffer {
  const pool = poolFor(size);
  return pool === undefined ? Buffer.allocUnsafe(size) : Buffer.from(pool.take() as ArrayBuffer, 0, size);
}

/** Makes a chunk available for reuse; the caller must not use it any more. Ignores buffers that do not come from here. */
export function releaseChunk({ buffer, length }: Buffer): void {
  poolFor(length)?.release(buffer);
}

/** Joins chunks in memory that is never reused, and releases them. */
export function joinChunks(parts: readonly Buffer[]): Buffer {
  const first = parts[0];
  if (parts.length === 1 && first !== undefined && poolFor(first.length) === undefined) return first;
  const whole = Buffer.concat(parts);
  for (const part of parts) releaseChunk(part);
  return whole;
}

/** All chunks of a document together; undefined when they have more than so many bytes. */
export async function joinUpTo(chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of chunks) {
      parts.push(chunk);
      size += chunk.length;
      if (size > maxBytes) return undefined;
    }
    return Buffer.concat(parts);
  } finally {
    for (const part of parts) releaseChunk(part);
  }
}
