import { describe, expect, it } from 'vitest';
import { heapStopSeconds, oldSpaceOf } from './heap-cost.ts';

/** On Node 20 to 26: memory as the system knows it, old space, and seconds of CPU that the search took, of objects and of strings. */
const measured = [
  [59e6, 6e6, 0.17],
  [124e6, 39e6, 0.91],
  [194e6, 77e6, 1.68],
  [515e6, 289e6, 6.3],
  [123e6, 32e6, 0.75],
  [207e6, 104e6, 2.2],
  [483e6, 324e6, 6.09],
] as const;

describe('what a search of the heap is said to cost', () => {
  it.each(measured)(
    'is not less than it was with %d bytes of memory, and at most twice as much',
    (memory, oldSpace, seconds) => {
      for (const said of [heapStopSeconds(oldSpace), heapStopSeconds(oldSpaceOf(memory))]) {
        expect(said).toBeGreaterThanOrEqual(Math.floor(seconds * 10) / 10);
        expect(said).toBeLessThanOrEqual(2 * seconds);
      }
    },
  );

  it('is 0.1 s at least, also where the memory is not known', () => {
    expect(heapStopSeconds(oldSpaceOf(0))).toBe(0.1);
  });
});
