import { describe, expect, it } from 'vitest';
import { judge } from './judge.ts';

describe('judge', () => {
  it.each([
    [{ speed: 0.75 }, 'met', '≥ 0.75'],
    [{ speed: 0.75, aim: 0.8 }, 'aim', '≥ 0.75'],
    [{ speed: 0.9, aim: 1 }, 'short', '≥ 0.9'],
    [{ cost: 1.3 }, 'met', '≤ 1.3'],
    [{ cost: 2, aim: 1.25 }, 'aim', '≤ 2'],
    [{ cost: 1.2 }, 'short', '≤ 1.2'],
    [{ atMost: 10 }, 'met', '≤ 10'],
    [{ atMost: 9 }, 'short', '≤ 9'],
    [{ shown: true }, 'shown', ''],
  ] as const)('finds that %j is %s', (target, verdict, floor) => {
    expect(judge(target, [10, 10, 10], [8, 8, 8])).toMatchObject({ verdict, floor });
  });

  it('compares what was measured in the same round, so that a drifting machine does no harm', () => {
    const { judged } = judge({ speed: 1 }, [10, 20, 40, 80], [5, 10, 20, 40]);
    expect(judged).toEqual({ median: 0.5, spread: 0 });
  });

  it('refuses to make a ratio out of nothing', () => {
    expect(() => judge({ speed: 1 }, [1], undefined)).toThrow('needs a reference');
  });
});
