import { describe, expect, it } from 'vitest';
import { runCase } from './run-suite.ts';

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
});
