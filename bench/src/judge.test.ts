import { describe, expect, it } from 'vitest';
import { confidenceInterval, judge } from './judge.ts';

describe('judge', () => {
  it.each([
    [{ speed: 0.75 }, 'met', '≥ 0.75'],
    [{ speed: 0.9 }, 'short', '≥ 0.9'],
    [{ cost: 1.3 }, 'met', '≤ 1.3'],
    [{ cost: 1.2 }, 'short', '≤ 1.2'],
    [{ atMost: 10 }, 'met', '≤ 10'],
    [{ atMost: 9 }, 'short', '≤ 9'],
  ] as const)('target %j, when ours costs 10 and the reference 8, gives the verdict %s', (target, verdict, floor) => {
    expect(judge(target, Array(6).fill(10), Array(6).fill(8))).toMatchObject({ verdict, floor });
  });

  it('compares samples of the same round, when the machine becomes slower, and finds one ratio', () => {
    const { judged } = judge({ speed: 1 }, [10, 20, 40, 80], [5, 10, 20, 40]);
    expect(judged).toEqual({ median: 0.5, spread: 0 });
  });

  it.each([
    ['short when the whole interval does', 0.74, 'short'],
    ['undecided when the interval reaches it', 0.75, 'undecided'],
  ])('finds a median that misses the target %s', (_, high, verdict) => {
    const reference = [0.6, 0.7, 0.7, 0.65, high, 0.6].map((speed) => speed * 10);
    const judgement = judge({ speed: 0.75 }, Array(6).fill(10), reference);
    expect(judgement).toMatchObject({ verdict, interval: { low: 0.6, high }, isCertain: verdict === 'short' });
  });

  it('is not certain of a met target while the interval contains values that miss it', () => {
    const met = judge({ atMost: 10 }, [9, 9, 9, 9, 9, 11], undefined);
    expect(met).toMatchObject({ verdict: 'met', isCertain: false });
    expect(judge({ atMost: 11 }, [9, 9, 9, 9, 9, 11], undefined)).toMatchObject({ verdict: 'met', isCertain: true });
  });

  it('is certain of a target that all samples meet, but not of a missed one, with fewer than six samples', () => {
    expect(judge({ atMost: 10 }, [9, 9, 9], undefined)).toMatchObject({ verdict: 'met', isCertain: true });
    const missed = { verdict: 'undecided', isCertain: false };
    expect(judge({ atMost: 10 }, [11, 11, 11, 11, 11], undefined)).toMatchObject(missed);
    expect(judge({ atMost: 10 }, [11, 11, 11, 11, 11, 11], undefined)).toMatchObject({ verdict: 'short' });
  });

  it('throws when the target is a ratio and there is no reference', () => {
    expect(() => judge({ speed: 1 }, [1], undefined)).toThrow('needs a reference');
  });
});

describe('confidenceInterval', () => {
  // By the binomial distribution: leaving out one sample at each end of eight would leave 93%.
  it.each([
    [1, 0, 0],
    [5, 0, 4],
    [6, 0, 5],
    [8, 0, 7],
    [9, 1, 7],
    [11, 1, 9],
    [12, 2, 9],
    [15, 3, 11],
    [25, 7, 17],
  ])('of %i samples in any order is from the one at %i to the one at %i', (count, low, high) => {
    const samples = Array.from({ length: count }, (_, index) => (index * 7) % count);
    expect(confidenceInterval(samples)).toEqual({ low, high });
  });

  it('holds the true median in at least 95 of 100 series', () => {
    let state = 42;
    const random = () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state / 2 ** 31;
    };
    const series = Array.from({ length: 4000 }, () => Array.from({ length: 12 }, () => random() ** 3));
    const holding = series.map(confidenceInterval).filter(({ low, high }) => low <= 0.125 && high >= 0.125);
    expect(holding.length / series.length).toBeGreaterThan(0.95);
    expect(holding.length / series.length).toBeLessThan(0.98);
  });
});
