import { takeChunk } from '../chunk-pool.ts';
import { type Constant, isLittleEndian } from './label.ts';

/** A chunk is handed out once this much is written. */
const chunkSize = 64 * 1024;

/** Room that is always left, for constant bytes and numbers, which are written without asking. */
const reserveSize = 32 * 1024;

/** Larger documents are made of pieces of this size, since to copy all of them again and again costs more. */
const largestPiece = 1024 * 1024;

/** Up to here a loop is quicker than a call. */
const copiedByHand = 100;

/** Bytes in the making, in one array that is used again and again. */
export class ByteOutput {
  bytes: Buffer = Buffer.allocUnsafeSlow(chunkSize + reserveSize);
  view: DataView = viewOf(this.bytes);
  position = 0;
  /** How many bytes were handed out before those in the array. */
  base = 0;
  /** Past this, writers stop at the next place where they can. */
  full = chunkSize;

  /** Makes room for so many bytes, and the reserve beyond them. */
  reserve(size: number): void {
    const needed = this.position + size + reserveSize;
    if (needed > this.bytes.length) this.#resize(needed * 2);
  }

  /** Writes constant bytes, eight at a time; what it writes past their end is overwritten by what follows. */
  constant({ words, length }: Constant): void {
    this.reserve(length);
    const { view, position } = this;
    for (let index = 0; index < words.length; index++) {
      view.setFloat64(position + index * 8, words[index] as number, isLittleEndian);
    }
    this.position = position + length;
  }

  /** Makes room for more of a document that is wanted in one piece; false when it is too big for that. */
  grow(): boolean {
    if (this.bytes.length < largestPiece) this.#resize(Math.max(this.bytes.length, this.position + reserveSize) * 2);
    // As much as a text may ask for beyond the reserve, or each array would have to be made anew just before it is full.
    const full = this.bytes.length - 2 * reserveSize;
    if (full <= this.full) return false;
    this.full = full;
    return true;
  }

  /** Hands out what was written but for the last byte, which the end of a container may still replace. */
  takeAllButLast(): Buffer {
    if (this.position < 2) return Buffer.alloc(0);
    const chunk = this.#copy(this.position - 1);
    this.bytes[0] = this.bytes[this.position - 1] as number;
    this.base += this.position - 1;
    this.position = 1;
    return chunk;
  }

  takeAll(): Buffer {
    const chunk = this.#copy(this.position);
    this.position = 0;
    return chunk;
  }

  /** Forgets what was written, and what it needed more room for than most documents do. */
  reset(): void {
    this.position = 0;
    this.base = 0;
    this.full = chunkSize;
    if (this.bytes.length > 2 * largestPiece) this.#resize(chunkSize + reserveSize);
  }

  /** The chunk may stay in a socket's queue for long, so it cannot share the array. */
  #copy(end: number): Buffer {
    const chunk = takeChunk(end);
    const { bytes } = this;
    if (end > copiedByHand) bytes.copy(chunk, 0, 0, end);
    else for (let index = 0; index < end; index++) chunk[index] = bytes[index] as number;
    return chunk;
  }

  #resize(size: number): void {
    const resized = Buffer.allocUnsafeSlow(size);
    this.bytes.copy(resized, 0, 0, this.position);
    this.bytes = resized;
    this.view = viewOf(resized);
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
