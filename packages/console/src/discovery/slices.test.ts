import { expect, it } from 'vitest';
import { Slices } from './slices.ts';

it('a search does not count time in which other processes use the CPU', async () => {
  const slices = new Slices();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  await slices.pause();
  expect(slices.spent).toBeLessThan(150);
});
