import type { View } from '@jig/inspect';
import { maxSliceMs } from '@jig/inspect/internal';
import { describe, expect, it } from 'vitest';
import { stateLines } from './bean-list.ts';

const beans = ['a', 'b', 'c', 'd'].map((name) => ({ name, value: { name } }));
const views: readonly View[] = [];

describe('the lines of a list', () => {
  it('exist for beans with a state to report', async () => {
    const { lines, left } = await stateLines([...beans, { name: 'empty', value: {} }], { views }, 200);
    expect(left).toBe(0);
    expect([...lines]).toEqual(['a', 'b', 'c', 'd'].map((name) => [name, `name ${name}`]));
  });

  it('cover the first beans when the time is over, with the number of the others', async () => {
    let time = 0;
    const slow = (value: object): value is object => {
      const end = performance.now() + maxSliceMs;
      while (performance.now() < end);
      return value === undefined;
    };
    // The clock is read twice for each slice, so each takes 80 ms.
    const now = () => (time += 80);
    const { lines, left } = await stateLines(beans, { views: [{ name: 'Slow', matches: slow }] }, 200, now);
    expect([[...lines.keys()], left]).toEqual([['a', 'b', 'c'], 1]);
  });

  it('do not count time in which other processes use the CPU', async () => {
    const matches = (value: object): value is object => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 120);
      return value === undefined;
    };
    const { lines, left } = await stateLines(beans, { views: [{ name: 'Waiting', matches }] }, 200);
    expect([lines.size, left]).toEqual([4, 0]);
  });

  it('leave out a bean that throws while its view is looked for', async () => {
    const broken = { find: () => expect.unreachable() };
    const { lines } = await stateLines(beans, { views: broken as unknown as typeof views }, 200);
    expect([...lines]).toEqual([]);
  });
});
