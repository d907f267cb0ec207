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

/** The operator that stands for appending so many bytes. */
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
