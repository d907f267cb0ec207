import { describe, expect, it } from 'vitest';
import { Row } from './rows.ts';
import type { Case } from './suite.ts';

/** A case that costs these, over and over, and must cost 10 at most. */
const costing = (...costs: readonly number[]): Case => {
  let taken = 0;
  const ours = () => costs[taken++ % costs.length] ?? 0;
  return { name: 'a case', unit: 'ms', target: { atMost: 10 }, ours, warmUps: 0 };
};

/** A row that has begun. */
const begin = async (measured: Case, quick = false) => {
  const row = new Row(measured, { quick });
  await row.begin();
  return row;
};

/** Goes on while the row is open, and gives its rounds and its verdict. */
const finish = async (row: Row) => {
  while (row.isOpen) await row.goOn();
  const { contenders, judgement } = row.result;
  return [contenders[0]?.samples.length, judgement.verdict];
};

describe('Row', () => {
  it('discards one sample of each contender, then starts each round with another contender', async () => {
    const order: string[] = [];
    const contender = (name: string, cost: number) => () => order.push(name) && cost;
    const contenders = { ours: contender('o', 1), reference: contender('r', 2), peers: { p: contender('p', 3) } };
    const row = await begin({ name: 'a case', target: { speed: 1 }, ...contenders, rounds: 3 });
    expect(order.join('')).toBe('orp' + 'orp' + 'rpo' + 'por');
    const found = row.result.contenders.map(({ name, median }) => `${name} ${median}`);
    expect(found).toEqual(['ours 1', 'reference 2', 'p 3']);
    expect(row.result.judgement).toMatchObject({ verdict: 'met', judged: { median: 2 } });
  });

  it('is decided after six rounds that all meet the target, and after fifteen that all miss it', async () => {
    expect(await finish(await begin(costing(9)))).toEqual([6, 'met']);
    expect(await finish(await begin(costing(11)))).toEqual([15, 'short']);
  });

  it('stays open while more rounds could decide it, three at a time', async () => {
    const row = await begin(costing(9, 9, 9, 9, 9, 12, 9, 9, 9));
    expect(row.isOpen).toBe(true);
    expect(await finish(row)).toEqual([9, 'met']);
  });

  it('is given up after sixty rounds', async () => {
    expect(await finish(await begin(costing(9, 11)))).toEqual([60, 'met']);
  });

  it('takes three rounds at most when quick', async () => {
    const row = await begin({ ...costing(9, 11), rounds: 20 }, true);
    expect(row.isOpen).toBe(false);
    expect(await finish(row)).toEqual([3, 'met']);
  });
});
