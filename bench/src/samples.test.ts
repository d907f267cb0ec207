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
  expect([await time.sample(), await time.sample()]).toEqual([1, 2]);
  expect([await memory.sample(), await memory.sample(), await memory.sample()]).toEqual([100, 200, 300]);
  expect(await time.sample()).toBe(3);
  expect(measured).toBe(3);
});
