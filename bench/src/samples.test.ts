import { expect, it } from 'vitest';
import { shareRounds } from './samples.ts';

it('rows that share rounds measure each round once, whichever row comes first', async () => {
  let measured = 0;
  const row = shareRounds(async () => {
    measured += 1;
    return { time: measured, memory: measured * 100 };
  });
  const time = row((each) => each.time);
  const memory = row((each) => each.memory);
  expect([await time(), await time()]).toEqual([1, 2]);
  expect([await memory(), await memory(), await memory()]).toEqual([100, 200, 300]);
  expect(await time()).toBe(3);
  expect(measured).toBe(3);
});
