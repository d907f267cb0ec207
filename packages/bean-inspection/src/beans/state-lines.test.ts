import type { View } from '@jig/inspect';
import { describe, expect, it } from 'vitest';
import { stateLines } from './bean-list.ts';

const beans = ['a', 'b', 'c', 'd'].map((name) => ({ name, value: { name } }));
const views: readonly View[] = [];

describe('the lines of a list', () => {
  it('are those of the beans of which there is anything to say', async () => {
    const lines = await stateLines([...beans, { name: 'empty', value: {} }], { views });
    expect([...lines]).toEqual(['a', 'b', 'c', 'd'].map((name) => [name, `name ${name}`]));
  });

  it('are those of the first beans when time is up', async () => {
    let time = 0;
    // Two looks for each bean, so each takes 80 ms.
    const lines = await stateLines(beans, { views }, () => (time += 80));
    expect([...lines.keys()]).toEqual(['a', 'b', 'c']);
  });

  it('leave out a bean of which even the recognition fails', async () => {
    const broken = { find: () => expect.unreachable() };
    expect([...(await stateLines(beans, { views: broken as unknown as typeof views }))]).toEqual([]);
  });
});
