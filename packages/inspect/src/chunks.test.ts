import { describe, expect, it } from 'vitest';
import { joinChunks, releaseChunk, takeChunk } from './chunks.ts';

const chunkSize = 96 * 1024;
const pieceSize = 1536 * 1024;

describe('chunks', () => {
  it.each([5000, chunkSize, pieceSize])('of %i bytes are reused after they were released', (size) => {
    const chunk = takeChunk(size);
    releaseChunk(chunk);
    releaseChunk(chunk);
    const [again, another] = [takeChunk(size - 1), takeChunk(size)];
    expect(again.buffer).toBe(chunk.buffer);
    expect(another.buffer).not.toBe(chunk.buffer);
    expect([again.length, another.length]).toEqual([size - 1, size]);
  });

  it.each([chunkSize, pieceSize])('of %i bytes that come from elsewhere are not reused', (size) => {
    const foreign = Buffer.allocUnsafeSlow(size);
    releaseChunk(foreign);
    expect(takeChunk(size).buffer).not.toBe(foreign.buffer);
  });

  it.each([0, 1, 4096, chunkSize + 1, 10 * pieceSize])('can be of any size, as of %i bytes', (size) => {
    const chunk = takeChunk(size);
    releaseChunk(chunk);
    expect(chunk).toHaveLength(size);
  });

  it('are released when they are joined', () => {
    const parts = [takeChunk(5000), takeChunk(pieceSize)];
    joinChunks(parts);
    for (const { buffer, length } of parts) expect(takeChunk(length).buffer === buffer).toBe(true);
  });

  it('are joined in memory that is not reused', () => {
    for (const sizes of [[10], [5000], [5000, 20], [chunkSize + 1, 5000], [pieceSize, pieceSize, 5000]]) {
      const parts = sizes.map((size, index) => takeChunk(size).fill(index + 1));
      const expected = Buffer.concat(parts);
      const whole = joinChunks(parts);
      for (const size of sizes) takeChunk(size).fill(0);
      expect(whole.equals(expected)).toBe(true);
    }
  });
});
