import type { Masking } from '../masking/masking.ts';
import { maskMark } from '../masking/secrets.ts';
import { endsInsideAuthority } from '../masking/text-rules.ts';
import { hasDecimals, moreMarker } from './markers.ts';

export interface ShownText {
  readonly text: string;
  readonly isCut: boolean;
}

/** A text as it may be shown: not too long, and without what is secret, also where the cut has broken a secret. */
export function shownText(text: string, longest: number, masking: Masking): ShownText {
  if (text.length <= longest) return { text: masking.text(text), isCut: false };
  const end = wholeCharacters(text, longest);
  return { text: textUpTo(text, end, masking) + moreMarker(text.length - end), isCut: true };
}

/** The beginning of a long key, with a digest, since several may begin alike; a short one, since nobody is to guess by it what is masked. */
export function cutKey(key: string, longest: number, masking: Masking): string {
  let digest = 0;
  for (let index = 0; index < key.length; index++) digest = (Math.imul(digest, 31) + key.charCodeAt(index)) >>> 0;
  return `${shownText(key, longest, masking).text} ${(digest & 0xffff).toString(16)}`;
}

/** Where to cut a text so that no character is cut in two. */
export function wholeCharacters(text: string, longest: number): number {
  return isHighSurrogate(text.charCodeAt(longest - 1)) ? longest - 1 : longest;
}

/** The beginning of a longer text. Masked first, since a secret that is cut in two is no longer found. */
export function textUpTo(text: string, end: number, masking: Masking): string {
  const head = masking.secrets.mask(text, end);
  if (!endsInsideAuthority(head)) return masking.text(head);
  return masking.text(head.slice(0, head.lastIndexOf('://') + 3)) + maskMark;
}

export function shownBytes(bytes: Uint8Array, longest: number, masking: Masking): ShownText {
  const { text, left } = base64Within(bytes, longest);
  // As far as a secret can reach that begins in what is shown.
  const window = bytes.subarray(0, longest + masking.secrets.longest);
  const masked = masking.bytes(window, () => text);
  return left === 0 ? { text: masked, isCut: false } : { text: masked + moreMarker(left), isCut: true };
}

/** What a number shows when it cannot be shown as a number: it has too many digits. Undefined when it has not. */
export function shownBigInt(value: bigint, longest: number, masking: Masking): ShownText | undefined {
  if (!hasDecimals(value)) return shownHexadecimal(value, longest, masking);
  const decimals = String(value);
  return decimals.length <= longest ? undefined : shownText(decimals, longest, masking);
}

/** Hexadecimal digits take no longer to make than to write, and as many can be taken from the front as are wanted. */
function shownHexadecimal(value: bigint, longest: number, masking: Masking): ShownText {
  const magnitude = value < 0n ? -value : value;
  const prefix = value < 0n ? '-0x' : '0x';
  const digits = Math.ceil(bitLength(magnitude) / 4);
  const left = Math.max(0, prefix.length + digits - longest);
  const text = masking.text(prefix + (magnitude >> BigInt(left * 4)).toString(16));
  return left === 0 ? { text, isCut: false } : { text: text + moreMarker(left), isCut: true };
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** More bits than any BigInt of V8 has, which is 2 to the power of 30. */
const maxBits = 2 ** 31;

/** How many bits a positive number has, found from the highest one down, so that each step looks at less than the one before. */
export function bitLength(magnitude: bigint): number {
  let length = 0;
  for (let step = maxBits; step >= 1; step /= 2) {
    if (magnitude >> BigInt(length + step) !== 0n) length += step;
  }
  return length + 1;
}

/** The base64 text of as many bytes as fit into so many characters, and how many characters were left off. */
export function base64Within(bytes: Uint8Array, longest: number): { text: string; left: number } {
  const whole = Math.ceil(bytes.length / 3) * 4;
  const shown = whole <= longest ? bytes : bytes.subarray(0, Math.floor(longest / 4) * 3);
  const text = Buffer.from(shown.buffer, shown.byteOffset, shown.byteLength).toString('base64');
  return { text, left: whole - text.length };
}
