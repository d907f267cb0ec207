import type { Masking } from '../masking/masking.ts';

/** A text as it is shown, and how many characters were left off. */
export interface ShownText {
  readonly text: string;
  readonly left: number;
}

/** As far as a secret may reach that begins in what is shown. */
const longestSecret = 4096;

/** A text as it may be shown: not too long, and masked before it is cut, since a secret that is cut in two is no longer found. */
export function shownText(text: string, longest: number, masking: Masking): ShownText {
  if (text.length <= longest) return { text: masking.text(text), left: 0 };
  const end = longest + longestSecret;
  const masked = masking.text(text.slice(0, end));
  const shown = masked.slice(0, wholeCharacters(masked, longest));
  return { text: shown, left: masked.length - shown.length + Math.max(0, text.length - end) };
}

/** Where to cut a text so that no character is cut in two. */
function wholeCharacters(text: string, longest: number): number {
  const code = text.charCodeAt(longest - 1);
  return code >= 0xd800 && code <= 0xdbff ? longest - 1 : longest;
}

export function shownBytes(bytes: Uint8Array, longest: number, masking: Masking): ShownText {
  const whole = Math.ceil(bytes.length / 3) * 4;
  const shown = whole <= longest ? bytes : bytes.subarray(0, Math.floor(longest / 4) * 3);
  const base64 = Buffer.from(shown.buffer, shown.byteOffset, shown.byteLength).toString('base64');
  return { text: masking.bytes(bytes.subarray(0, longest + longestSecret), () => base64), left: whole - base64.length };
}

/** Ten thousand decimal digits, which take a millisecond to make; a million take one second, in which nothing else runs. */
const decimalEnd = 1n << 33_219n;
const decimalStart = -decimalEnd;

/** The digits of a number; one with too many of them is only named. */
export const bigIntText = (value: bigint): string =>
  value < decimalEnd && value > decimalStart ? String(value) : '[BigInt]';

/** Any value that is no object. */
export const primitiveText = (value: unknown): string =>
  typeof value === 'bigint' ? bigIntText(value) : String(value);
