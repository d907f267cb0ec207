import type { Masking } from '../masking/masking.ts';

/** A text as it is shown, and how many characters were cut. */
export interface ShownText {
  readonly text: string;
  readonly left: number;
}

/** How far a secret may extend beyond the shown part. */
const maxSecretLength = 4096;

/** Masks and truncates a text, in this order, since half a secret is not recognised. */
export function shownText(text: string, maxLength: number, masking: Masking): ShownText {
  if (text.length <= maxLength) return { text: masking.text(text), left: 0 };
  const end = maxLength + maxSecretLength;
  const masked = masking.text(text.slice(0, end));
  const shown = masked.slice(0, cutBetweenCharacters(masked, maxLength));
  return { text: shown, left: masked.length - shown.length + Math.max(0, text.length - end) };
}

/** Where to cut a text without splitting a surrogate pair. */
function cutBetweenCharacters(text: string, maxLength: number): number {
  const code = text.charCodeAt(maxLength - 1);
  return code >= 0xd800 && code <= 0xdbff ? maxLength - 1 : maxLength;
}

export function shownBytes(bytes: Uint8Array, maxLength: number, masking: Masking): ShownText {
  const totalLength = Math.ceil(bytes.length / 3) * 4;
  const shown = totalLength <= maxLength ? bytes : bytes.subarray(0, Math.floor(maxLength / 4) * 3);
  const base64 = Buffer.from(shown).toString('base64');
  return {
    text: masking.bytes(bytes.subarray(0, maxLength + maxSecretLength), () => base64),
    left: totalLength - base64.length,
  };
}

/** 10,000 decimal digits, which take a millisecond to format; a million block the event loop for a second. */
const decimalEnd = 1n << 33_219n;
const decimalStart = -decimalEnd;

/** The decimal digits, or a marker if there are too many. */
export const bigIntText = (value: bigint): string =>
  value < decimalEnd && value > decimalStart ? String(value) : '[BigInt]';

/** The text of a primitive value. */
export const primitiveText = (value: unknown): string =>
  typeof value === 'bigint' ? bigIntText(value) : String(value);
