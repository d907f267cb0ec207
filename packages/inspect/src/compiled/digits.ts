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
