import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { runCase, shareOfTime } from './run-suite.ts';
import type { Case } from './suite.ts';

describe('runCase', () => {
  it('discards one sample of each contender, then begins each round with another contender', async () => {
    const order: string[] = [];
    const contender = (name: string, cost: number) => ({
      sample() {
        order.push(name);
        return cost;
      },
    });
    const result = await runCase(
      {
        name: 'a case',
        unit: 'ms',
        target: { speed: 1 },
        ours: contender('o', 1),
        reference: contender('r', 2),
        peers: { p: contender('p', 3) },
        rounds: 3,
      },
      { quick: false, folder: '' },
    );
    expect(order.join('')).toBe('orp' + 'orp' + 'rpo' + 'por');
    expect(result.contenders.map(({ name, median }) => [name, median])).toEqual([
      ['ours', 1],
      ['reference', 2],
      ['p', 3],
    ]);
    expect(result.judgement).toMatchObject({ verdict: 'met', judged: { median: 2 } });
  });

  it('takes three samples of peers, which are not judged, and four rounds of a row that is only shown', async () => {
    const always = { sample: () => 1 };
    const benchCase = { name: 'a case', unit: 'ms', ours: always, reference: always, peers: { p: always } };
    const samplesFor = async (target: Case['target']) => {
      const { contenders } = await runCase({ ...benchCase, target }, { quick: false, folder: '' });
      return contenders.map(({ samples }) => samples.length);
    };
    expect(await samplesFor({ speed: 1 })).toEqual([6, 6, 3]);
    expect(await samplesFor({ shown: true })).toEqual([4, 4, 3]);
  });

  /** A case whose samples are these, over and over, with how many were taken. */
  async function roundsOf(costs: readonly number[], deadline?: number): Promise<number> {
    let taken = 0;
    const ours = { sample: () => costs[taken++ % costs.length] ?? 0 };
    const benchCase = { name: 'a case', unit: 'ms', target: { atMost: 10 }, ours, warmUps: 0 };
    const result = await runCase(benchCase, { quick: false, folder: '' }, deadline);
    expect(result.contenders[0]?.samples).toHaveLength(taken);
    return taken;
  }

  it('ends after six rounds when it is certain whether the target is met', async () => {
    expect(await roundsOf([9])).toBe(6);
    expect(await roundsOf([11])).toBe(6);
  });

  it('goes on while it is not, but not for ever', async () => {
    expect(await roundsOf([9, 9, 9, 9, 9, 12, 9, 9, 9])).toBe(9);
    expect(await roundsOf([9, 11])).toBe(15);
  });

  it('takes three rounds at least when the time is over', async () => {
    expect(await roundsOf([9, 11], performance.now())).toBe(3);
  });
});

describe('shareOfTime', () => {
  it('divides what is left among those that still come', () => {
    expect(shareOfTime(100, 4, 20)).toBe(40);
    expect(shareOfTime(100, 1, 20)).toBe(100);
  });

  it('gives none when the time is over', () => {
    expect(shareOfTime(100, 4, 120)).toBe(120);
  });
});
