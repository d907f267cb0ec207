import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';

/** A text that many pages share, plain and deflated. */
export interface FixedText {
  readonly text: Buffer;
  readonly deflated: Buffer;
}

const deflate = promisify<Buffer, object, Buffer>(deflateRaw);

/** Deflates with a full flush, so that the result ends on a byte boundary and can be joined with others. */
export async function fixedText(text: Buffer): Promise<FixedText> {
  return { text, deflated: await deflate(text, { finishFlush: constants.Z_FULL_FLUSH }) };
}

const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
const lastBlock = Buffer.from([3, 0]);

/** Joins two deflated texts and a stored one (RFC 1951, 3.2.4) between them to one gzip member (RFC 1952). */
export function gzipOf(before: FixedText, between: Buffer, after: FixedText): Buffer {
  const { length } = between;
  const stored = Buffer.from([0, length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff]);
  const trailer = Buffer.allocUnsafe(8);
  trailer.writeUInt32LE(crc32(after.text, crc32(between, crc32(before.text))), 0);
  trailer.writeUInt32LE(before.text.length + length + after.text.length, 4);
  return Buffer.concat([header, before.deflated, stored, between, after.deflated, lastBlock, trailer]);
}
