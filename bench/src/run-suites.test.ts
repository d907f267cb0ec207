import { describe, expect, it } from 'vitest';
import { type RunOptions, runSuites } from './run-suites.ts';
import type { Suite } from './suite.ts';

/** Suites of one case that must cost 10 at most, by the costs of their samples, over and over; and what happened to them. */
function suitesOf(costs: Record<string, readonly number[]>) {
  const events: string[] = [];
  const suites = Object.entries(costs).map(([name, all]): Suite => {
    let taken = 0;
    const ours = () => {
      const cost = all[taken++ % all.length] ?? 0;
      if (Number.isNaN(cost)) throw new Error('the server has gone');
      return cost;
    };
    return {
      name,
      about: '',
      open: ({ onClose }) => {
        onClose(() => events.push(`close ${name}`));
        return [{ name: 'a case', unit: 'ms', target: { atMost: 10 }, ours, warmUps: 0 }];
      },
    };
  });
  const run = async (options: RunOptions = {}) => {
    const results = await runSuites(
      suites,
      { quick: false, folder: '', onClose: () => {} },
      { onResult: ({ name }) => void events.push(`result of ${name}`), ...options },
    );
    return results.map(({ name, rows, problem }) => {
      return { name, rounds: rows[0]?.contenders[0]?.samples.length, problem };
    });
  };
  return { events, run };
}

describe('runSuites', () => {
  it('closes a decided suite at once, and goes on with an undecided one after all others', async () => {
    const { events, run } = suitesOf({ unclear: [9, 9, 9, 9, 9, 12, 9, 9, 9], clear: [9] });
    expect(await run()).toEqual([
      { name: 'unclear', rounds: 9 },
      { name: 'clear', rounds: 6 },
    ]);
    expect(events).toEqual(['close clear', 'result of clear', 'close unclear', 'result of unclear']);
  });

  it('reports a suite that fails, at first or later, with what it has measured, and runs the others', async () => {
    const nine = [9, 9, 9, 9, 9, 12];
    const { events, run } = suitesOf({ first: [Number.NaN], later: [...nine, Number.NaN], fine: [9] });
    expect(await run()).toEqual([
      { name: 'first', rounds: undefined, problem: 'the server has gone' },
      { name: 'later', rounds: 6, problem: 'the server has gone' },
      { name: 'fine', rounds: 6 },
    ]);
    const closed = events.filter((event) => event.startsWith('close'));
    expect(closed.sort()).toEqual(['close fine', 'close first', 'close later']);
  });
});
