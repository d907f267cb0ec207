const slots = 16_384;

/** CRC-16/XMODEM of each byte. */
const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 0x80_00) === 0 ? crc << 1 : (crc << 1) ^ 0x10_21;
  return crc;
});

/** Which slot of a cluster a key is in, by the key or its hash tag: Redis Cluster Specification, "Key distribution model". */
export function keySlot(key: string): number {
  let crc = 0;
  for (const byte of Buffer.from(hashTag(key) ?? key)) crc = ((crc << 8) & 0xff_ff) ^ (table[(crc >> 8) ^ byte] ?? 0);
  return crc % slots;
}

/** What stands between the first `{` and the next `}`, unless that is nothing. */
function hashTag(key: string): string | undefined {
  const open = key.indexOf('{');
  const close = open === -1 ? -1 : key.indexOf('}', open + 1);
  return close > open + 1 ? key.slice(open + 1, close) : undefined;
}
