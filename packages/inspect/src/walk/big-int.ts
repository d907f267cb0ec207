/** Ten thousand decimal digits, which take a millisecond to make; a million take one second, in which nothing else runs. */
const decimalBits = 33_219;
const decimalEnd = 1n << BigInt(decimalBits);

/** Whether a number can be written in decimal without holding up everybody else. */
export function hasDecimals(value: bigint): boolean {
  return value < decimalEnd && value > -decimalEnd;
}

/** More bits than any BigInt of V8 has, which is 2 to the power of 30. */
const mostBits = 2 ** 31;

/** How many bits a positive number has, found from the highest one down, so that each step looks at less than the one before. */
export function bitLength(magnitude: bigint): number {
  let length = 0;
  for (let step = mostBits; step >= 1; step /= 2) {
    if (magnitude >> BigInt(length + step) !== 0n) length += step;
  }
  return length + 1;
}
