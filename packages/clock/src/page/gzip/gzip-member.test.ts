import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appending, combine } from './gzip-member.ts';

describe('combine', () => {
  it('gives the CRC of two texts from the CRC of each', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), fc.uint8Array({ maxLength: 5000 }), (first, second) => {
        const joined = crc32(Buffer.concat([first, second]));
        expect(combine(crc32(first), crc32(second), appending(second.length))).toBe(joined);
      }),
    );
  });
});
