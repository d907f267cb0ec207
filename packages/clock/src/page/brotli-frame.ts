import { once } from 'node:events';
import { type BrotliCompress, constants, createBrotliCompress } from 'node:zlib';

const quality = 5;
/** So many bytes at the end of the gap must be known beforehand: they are the context in which what follows is coded. */
export const knownEnd = 2;

/**
 * A page compressed by Brotli but for a gap, which is filled with a text of the gap's length or less, padded in front
 * with spaces. What follows the gap may refer to what precedes it, since the gap's length never changes.
 */
export class BrotliFrame {
  readonly #before: Buffer;
  readonly #after: Buffer;
  readonly #gap: number;

  /** @param end the last bytes of whatever will fill the gap */
  static async of(before: Buffer, gap: number, end: Buffer, after: Buffer): Promise<BrotliFrame> {
    const stream = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
    const [first = empty, , last = empty] = await compressInParts(stream, [before, placeholder(gap, end), after]);
    return new BrotliFrame(first, gap, last);
  }

  private constructor(before: Buffer, gap: number, after: Buffer) {
    this.#before = before;
    this.#gap = gap;
    this.#after = after;
  }

  get bytes(): number {
    return this.#before.length + this.#after.length;
  }

  /** The compressed page, or nothing when the text does not fit. */
  fill(text: Buffer): Buffer | undefined {
    if (text.length > this.#gap) return undefined;
    const page = Buffer.allocUnsafe(this.#before.length + 3 + this.#gap + this.#after.length);
    let end = this.#before.copy(page);
    // An uncompressed meta-block (RFC 7932, 9.2): not the last, four nibbles of length, then the bit that says so.
    end = page.writeUIntLE(((this.#gap - 1) << 3) | (1 << 19), end, 3);
    page.fill(' ', end, end + this.#gap - text.length);
    end += this.#gap - text.length;
    end += text.copy(page, end);
    this.#after.copy(page, end);
    return page;
  }
}

const empty = Buffer.alloc(0);

/** Bytes without pattern, so that Brotli refers neither from them nor to them. */
function placeholder(length: number, end: Buffer): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 1;
  for (let index = 0; index < length; index++) {
    // A linear congruential generator: what matters is that no four bytes occur twice.
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[index] = 0x80 | (state >>> 24);
  }
  end.copy(bytes, length - end.length);
  return bytes;
}

function flushed(stream: BrotliCompress): Promise<void> {
  return new Promise((done, fail) => {
    stream.once('error', fail);
    stream.flush(constants.BROTLI_OPERATION_FLUSH, () => {
      stream.off('error', fail);
      done();
    });
  });
}

/** The compressed bytes of each part, each ending on a byte boundary. */
async function compressInParts(stream: BrotliCompress, parts: readonly Buffer[]): Promise<Buffer[]> {
  const compressed: Buffer[] = [];
  let chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (const [index, part] of parts.entries()) {
    stream.write(part);
    if (index < parts.length - 1) {
      await flushed(stream);
    } else {
      stream.end();
      await once(stream, 'end');
    }
    compressed.push(Buffer.concat(chunks));
    chunks = [];
  }
  return compressed;
}
