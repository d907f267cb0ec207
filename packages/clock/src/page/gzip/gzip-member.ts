import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib';

/** A text deflated on its own, which can be inserted anywhere into a gzip member. */
export interface DeflatedText {
  readonly bytes: Buffer;
  readonly length: number;
  readonly crc: number;
  /** The CRC's operator for appending the text. */
  readonly appending: number;
}

// A full flush ends on a byte boundary, and nothing after it refers to what came before.
// Texts have a few KB: with a small window and small chunks zlib takes a tenth of its usual memory.
const options = { level: 6, finishFlush: constants.Z_FULL_FLUSH, windowBits: 13, memLevel: 6, chunkSize: 4096 };
const deflateRawAsync = promisify<Buffer, typeof options, Buffer>(deflateRaw);

const described = (text: Buffer, bytes: Buffer): DeflatedText => ({
  // Copied, because zlib returns a small part of a large buffer, which would be kept.
  bytes: Buffer.from(bytes),
  length: text.length,
  crc: crc32(text),
  appending: appending(text.length),
});

export const deflateText = async (text: Buffer): Promise<DeflatedText> =>
  described(text, await deflateRawAsync(text, options));

/** For short texts only, because it blocks the event loop. */
export const deflateShortText = (text: Buffer): DeflatedText => described(text, deflateRawSync(text, options));

const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
const lastBlock = Buffer.from([3, 0]);
const maxStoredLength = 0xffff;

/** One gzip member (RFC 1952), joined from texts deflated beforehand and texts stored as they are. */
export class GzipMember {
  readonly #parts: Buffer[] = [header];
  #crc = 0;
  #length = 0;

  append(text: DeflatedText): void {
    this.#parts.push(text.bytes);
    this.#crc = combine(this.#crc, text.crc, text.appending);
    this.#length += text.length;
  }

  /** Appends a text as it is (RFC 1951, 3.2.4). */
  store(text: Buffer): void {
    for (let start = 0; start < text.length; start += maxStoredLength) {
      const part = text.subarray(start, start + maxStoredLength);
      const { length } = part;
      this.#parts.push(Buffer.from([0, length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff]), part);
    }
    this.#crc = crc32(text, this.#crc);
    this.#length += text.length;
  }

  end(): Buffer[] {
    const trailer = Buffer.allocUnsafe(8);
    trailer.writeUInt32LE(this.#crc, 0);
    trailer.writeUInt32LE(this.#length, 4);
    this.#parts.push(lastBlock, trailer);
    return this.#parts;
  }
}

// CRC-32 of joined texts from the CRCs of each, after zlib's crc32_combine: appending n bytes multiplies by x^(8n) modulo
// the CRC's polynomial (bits reflected).
const polynomial = 0xed_b8_83_20;
const one = 0x80_00_00_00;

function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= factor;
    factor = factor & 1 ? (factor >>> 1) ^ polynomial : factor >>> 1;
  }
  return product >>> 0;
}

/** The operator for appending this many bytes. */
export function appending(bytes: number): number {
  let operator = one;
  // x^8, squared for each bit of the length.
  let power = 0x00_80_00_00;
  for (let rest = bytes; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) operator = multiply(power, operator);
    power = multiply(power, power);
  }
  return operator;
}

/** The CRC of two texts one after the other, from the CRC of each and the operator of the second one's length. */
export const combine = (first: number, second: number, appendingSecond: number): number =>
  (multiply(appendingSecond, first) ^ second) >>> 0;
