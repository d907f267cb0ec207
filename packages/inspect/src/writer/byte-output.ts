// Imported, since the global is a getter.
import { Buffer } from 'node:buffer';
import { pieceSize, smallSize, takeChunk } from '../chunks.ts';

/** A chunk is handed out once this much is written. */
const chunkSize = 64 * 1024;

/** Space that is always left, for constant bytes and numbers, which are written without a check. */
const reserveSize = 32 * 1024;

/** Larger documents are made of pieces of this size, since to copy all of them again and again costs more. */
const largestPiece = 1024 * 1024;

/** Up to this length a loop is faster than a call. */
const longestLoopCopy = 100;

/** The bytes of a document, in one array that is reused. */
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

  /** Writes a few constant bytes, for which the reserve is enough, eight at a time; what it writes past their end is overwritten by what follows. */
  constant({ words, length }: Constant): void {
    const { view, position } = this;
    // Many have one word: a loop would cost more than they do.
    view.setFloat64(position, words[0] as number, isLittleEndian);
    for (let index = 1; index < words.length; index++) {
      view.setFloat64(position + index * 8, words[index] as number, isLittleEndian);
    }
    this.position = position + length;
  }

  /** Makes room for more of a document that is wanted in one piece; false when it is too big for that. */
  grow(): boolean {
    if (this.bytes.length < largestPiece) {
      const needed = Math.max(this.bytes.length, this.position + reserveSize);
      this.#resize(Math.min(needed * 2, pieceSize));
    }
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

  /** All that was written, as text, if it is little and nothing was handed out before: bytes would be memory outside the heap. */
  takeText(): string | undefined {
    if (this.base > 0 || this.position > smallSize) return undefined;
    const text = this.bytes.toString('utf8', 0, this.position);
    this.position = 0;
    return text;
  }

  /** Discards what was written, and an array so large that its pieces would not be reused. */
  reset(): void {
    this.position = 0;
    this.base = 0;
    this.full = chunkSize;
    if (this.bytes.length > pieceSize) this.#resize(chunkSize + reserveSize);
  }

  /** The chunk may stay in a socket's queue for long, so it cannot share the array. */
  #copy(end: number): Buffer {
    const chunk = takeChunk(end);
    const { bytes } = this;
    if (end > longestLoopCopy) bytes.copy(chunk, 0, 0, end);
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

const encoder = new TextEncoder();

/** The byte order of this machine, in which the words of a constant are read and must be written. */
export const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Constant bytes as numbers of eight bytes each, by which they are copied. No number is NaN: no UTF-8 makes one. */
export class Constant {
  readonly length: number;
  readonly words: Float64Array;

  constructor(text: string) {
    const bytes = encoder.encode(text);
    const padded = new Uint8Array(Math.ceil(bytes.length / 8) * 8);
    padded.set(bytes);
    this.length = bytes.length;
    this.words = new Float64Array(padded.buffer);
  }
}

/** Writes a whole number of at most 15 digits; the position after it. */
export function writeDigits(bytes: Uint8Array, start: number, value: number): number {
  let position = start;
  let rest = value;
  if (rest < 0) {
    bytes[position++] = 0x2d;
    rest = -rest;
  }
  if (rest < 100_000_000) return writeSmall(bytes, position, rest | 0, 1);
  const high = Math.floor(rest / 100_000_000);
  position = writeSmall(bytes, position, high | 0, 1);
  return writeSmall(bytes, position, (rest - high * 100_000_000) | 0, 8);
}

/** Writes a number below a hundred million, with at least so many digits. */
function writeSmall(bytes: Uint8Array, start: number, value: number, least: number): number {
  const end = start + Math.max(least, digitCount(value));
  let rest = value;
  for (let position = end - 1; position >= start; position--) {
    const tenth = (rest / 10) | 0;
    bytes[position] = 0x30 + rest - tenth * 10;
    rest = tenth;
  }
  return end;
}

function digitCount(value: number): number {
  if (value < 10_000) return value < 100 ? (value < 10 ? 1 : 2) : value < 1000 ? 3 : 4;
  return value < 1_000_000 ? (value < 100_000 ? 5 : 6) : value < 10_000_000 ? 7 : 8;
}

/** Must be escaped, or takes several bytes in UTF-8. */
export const special = 1;
/** An at sign, an equals sign or a quote, which a URL with user-info, a pair or JSON has. */
export const pairSign = 2;
/** May begin an escape by which a secret is hidden. */
export const escapeSign = 4;
/** Together, these are in tokens and in credentials, and few of them in most other texts. */
export const space = 8;
export const joiner = 16;
export const digit = 32;
/** No hexadecimal digit, so that a UUID has none. */
export const lowerCase = 64;
/** Without those of a date in ISO 8601. */
export const upperCase = 128;

/** A colon, as behind the name of a header, or the letter that `Bearer` and `Basic` begin with. */
export const schemeSign = 256;

/** In most tokens that may have no digit, as `hf_…`. */
export const underscore = 512;

/** The kind of each character; all beyond ASCII are special. */
export function characterTable(kindOf: (code: number) => number): Uint16Array {
  const table = new Uint16Array(0x10000).fill(special);
  for (let code = 0; code < 0x7f; code += 1) table[code] = kindOf(code);
  return table;
}

function textKind(code: number, markup: string): number {
  const character = String.fromCharCode(code);
  if (code < 0x20 || markup.includes(character)) return special;
  if ('@="'.includes(character)) return pairSign;
  if ('%&\\'.includes(character)) return escapeSign;
  if (character === ' ') return space;
  if (character === '_') return joiner | underscore;
  if ('-.'.includes(character)) return joiner;
  if (/\d/.test(character)) return digit;
  if (/[:b]/.test(character)) return schemeSign;
  if (character === 'B') return schemeSign | upperCase;
  if (/[g-z]/.test(character)) return lowerCase;
  return /[A-SU-Y]/.test(character) ? upperCase : 0;
}

export const jsonCharacters = characterTable((code) => textKind(code, '"\\'));

/** A tab and a line feed are text like any other, but a line feed may break a secret in two. */
export const xmlCharacters = characterTable((code) => {
  if (code === 0x0a) return escapeSign;
  return code === 0x09 ? 0 : textKind(code, '&<>');
});
