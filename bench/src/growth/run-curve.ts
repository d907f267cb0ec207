import type { Judgement } from '../judge.ts';
import { type Summary, summarize } from '../statistics.ts';
import type { BenchContext } from '../suite.ts';
import { takeTurns } from '../take-turns.ts';
import type { Curve, GrowthTarget } from './curve.ts';
import { judgeGrowth } from './judge-growth.ts';

export interface PointResult extends Summary {
  readonly size: number;
  readonly samples: readonly number[];
}

export interface CurveResult {
  readonly name: string;
  readonly unit: string;
  readonly target: GrowthTarget;
  readonly points: readonly PointResult[];
  readonly judgement: Judgement;
}

/** Measures all sizes of a curve in turns. */
export async function runCurve({ name, unit, target, points }: Curve, { quick }: BenchContext): Promise<CurveResult> {
  const samples = await takeTurns(
    points.map(({ cost }) => cost),
    quick ? { rounds: 2, warmUps: 1 } : { rounds: 5, warmUps: 3 },
  );
  const measured = points.map(({ size }, index) => {
    const own = samples[index] ?? [];
    return { size, samples: own, ...summarize(own) };
  });
  return { name, unit, target, points: measured, judgement: judgeGrowth(target, measured) };
}
