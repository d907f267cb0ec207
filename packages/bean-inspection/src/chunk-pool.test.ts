import { describe, expect, it } from 'vitest';
import { POOLED_SIZE, releaseChunk, takeChunk } from './chunk-pool.ts';

describe('chunks', () => {
  it('are used again once they were handed back, however often', () => {
    const chunk = takeChunk(1000);
    releaseChunk(chunk);
    releaseChunk(chunk);
    const [again, another] = [takeChunk(2000), takeChunk(10)];
    expect(again.buffer).toBe(chunk.buffer);
    expect(another.buffer).not.toBe(chunk.buffer);
    expect([again.length, another.length]).toEqual([2000, 10]);
  });

  it('of others are left alone', () => {
    const foreign = Buffer.allocUnsafeSlow(POOLED_SIZE);
    releaseChunk(foreign);
    expect(takeChunk(POOLED_SIZE).buffer).not.toBe(foreign.buffer);
  });

  it('can be of any size', () => {
    expect(takeChunk(10 * POOLED_SIZE)).toHaveLength(10 * POOLED_SIZE);
  });
});
