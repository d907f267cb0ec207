import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { Row } from './rows.ts';
import type { Case, Contender } from './suite.ts';

const context = { quick: false };
const always = (cost: number): Contender => ({ sample: () => cost });

/** A case that costs these, over and over, and must cost 10 at most. */
const costing = (...costs: readonly number[]): Case => {
  let taken = 0;
  const ours = { sample: () => costs[taken++ % costs.length] ?? 0 };
  return { name: 'a case', unit: 'ms', target: { atMost: 10 }, ours, warmUps: 0 };
};

const roundsOf = (row: Row) => row.result.contenders[0]?.samples.length;

describe('Row', () => {
  it('discards one sample of each contender, then begins each round with another contender', async () => {
    const order: string[] = [];
    const contender = (name: string, cost: number) => ({ sample: () => order.push(name) && cost });
    const contenders = { ours: contender('o', 1), reference: contender('r', 2), peers: { p: contender('p', 3) } };
    const row = new Row({ name: 'a case', target: { speed: 1 }, ...contenders, rounds: 3 }, context);
    await row.begin();
    expect(order.join('')).toBe('orp' + 'orp' + 'rpo' + 'por');
    expect(row.result.contenders.map(({ name, median }) => `${name} ${median}`)).toEqual([
      'ours 1',
      'reference 2',
      'p 3',
    ]);
    expect(row.result.judgement).toMatchObject({ verdict: 'met', judged: { median: 2 } });
  });

  it('takes three samples of peers, which are not judged', async () => {
    const contenders = { ours: always(1), reference: always(1), peers: { p: always(1) } };
    const row = new Row({ name: 'a case', target: { speed: 1 }, ...contenders }, context);
    await row.begin();
    expect(row.result.contenders.map(({ samples }) => samples.length)).toEqual([6, 6, 3]);
  });

  it('is decided after six rounds that all meet the target, and after fifteen that all miss it', async () => {
    const decidedAfter = async (cost: number) => {
      const row = new Row(costing(cost), context);
      await row.begin();
      while (row.isOpen) await row.goOn();
      return [roundsOf(row), row.result.judgement.verdict];
    };
    expect(await decidedAfter(9)).toEqual([6, 'met']);
    expect(await decidedAfter(11)).toEqual([15, 'short']);
  });

  it('stays open while more rounds could decide it, three at a time', async () => {
    const row = new Row(costing(9, 9, 9, 9, 9, 12, 9, 9, 9), context);
    await row.begin();
    expect(row.isOpen).toBe(true);
    await row.goOn();
    expect(roundsOf(row)).toBe(9);
    expect(row.isOpen).toBe(false);
  });

  it('with fewer rounds is decided when all meet the target, and stays open when one does not', async () => {
    const rowOf = async (...costs: number[]) => {
      const row = new Row({ ...costing(...costs), rounds: 3 }, context);
      await row.begin();
      return row.isOpen;
    };
    expect(await rowOf(9)).toBe(false);
    expect(await rowOf(11)).toBe(true);
  });

  it('is given up after sixty rounds', async () => {
    const row = new Row(costing(9, 11), context);
    await row.begin();
    while (row.isOpen) await row.goOn();
    expect(roundsOf(row)).toBe(60);
  });

  it('warms up by one sample and takes three rounds when the time is over', async () => {
    let taken = 0;
    const ours = { sample: () => ++taken };
    const row = new Row({ ...costing(), ours, warmUps: 5 }, context);
    await row.begin(performance.now());
    expect(row.result.contenders[0]?.samples).toEqual([2, 3, 4]);
  });

  it('takes three rounds at most when quick', async () => {
    const row = new Row({ ...costing(9, 11), rounds: 20 }, { quick: true });
    await row.begin();
    expect(roundsOf(row)).toBe(3);
    expect(row.isOpen).toBe(false);
  });
});
