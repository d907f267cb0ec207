/** A chunk and what a writer may add to it before it stops. */
export const POOLED_SIZE = 96 * 1024;

const MOST_FREE = 16;
const free: ArrayBufferLike[] = [];
const ours = new WeakSet<ArrayBufferLike>();

/**
 * A buffer of this size, one that was handed back if there is one. Memory outside the heap makes the engine collect
 * the whole heap every few megabytes, and with a big bean in it that stops everything for a tenth of a second.
 */
export function takeChunk(size: number): Buffer {
  if (size > POOLED_SIZE) return Buffer.allocUnsafeSlow(size);
  const memory = free.pop() ?? newMemory();
  return Buffer.from(memory as ArrayBuffer, 0, size);
}

/** Takes a chunk back that nobody uses any more. What does not come from here is left alone. */
export function releaseChunk({ buffer }: Buffer): void {
  if (ours.has(buffer) && free.length < MOST_FREE && !free.includes(buffer)) free.push(buffer);
}

function newMemory(): ArrayBufferLike {
  const memory = Buffer.allocUnsafeSlow(POOLED_SIZE).buffer;
  ours.add(memory);
  return memory;
}
