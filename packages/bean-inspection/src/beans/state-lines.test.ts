import type { View } from '@jig/inspect';
import { describe, expect, it } from 'vitest';
import { stateLines } from './bean-list.ts';

const beans = ['a', 'b', 'c', 'd'].map((name) => ({ name, value: { name } }));
const views: readonly View[] = [];

describe('the lines of a list', () => {
  it('are those of the beans of which there is anything to say', async () => {
    const { lines, left } = await stateLines([...beans, { name: 'empty', value: {} }], { views }, 200);
    expect(left).toBe(0);
    expect([...lines]).toEqual(['a', 'b', 'c', 'd'].map((name) => [name, `name ${name}`]));
  });

  it('are those of the first beans when time is up, and how many are left', async () => {
    let time = 0;
    // Two looks for each bean, so each takes 80 ms.
    const { lines, left } = await stateLines(beans, { views }, 200, () => (time += 80));
    expect([[...lines.keys()], left]).toEqual([['a', 'b', 'c'], 1]);
  });

  it('do not count for how long the process waits while others use the CPU', async () => {
    const matches = (value: object): value is object => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 120);
      return value === undefined;
    };
    const { lines, left } = await stateLines(beans, { views: [{ name: 'Waiting', matches }] }, 200);
    expect([lines.size, left]).toEqual([4, 0]);
  });

  it('leave out a bean of which even the recognition fails', async () => {
    const broken = { find: () => expect.unreachable() };
    const { lines } = await stateLines(beans, { views: broken as unknown as typeof views }, 200);
    expect([...lines]).toEqual([]);
  });
});
