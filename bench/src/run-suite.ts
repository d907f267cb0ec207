import { type Judgement, judge, judgeGrowth, type Summary, summarize } from './judge.ts';
import type { Axis, BenchContext, Case, Contender, Curve, GrowthTarget, ProfileShares, Suite } from './suite.ts';

export interface SuiteResult {
  readonly name: string;
  readonly about: string;
  readonly layout: 'lines' | 'matrix';
  readonly cases: readonly CaseResult[];
  readonly growth?: GrowthResult;
  readonly profiles: readonly ProfileResult[];
  /** Why the suite, or the rest of it, could not be measured. */
  readonly problem?: string;
}

export interface CaseResult {
  readonly name: string;
  readonly unit: string;
  /** Ours, the reference if there is one, then the peers. */
  readonly contenders: readonly ContenderResult[];
  readonly judgement: Judgement;
}

export interface ContenderResult extends Summary {
  readonly name: string;
  readonly samples: readonly number[];
}

export interface GrowthResult {
  readonly axis: Axis;
  readonly curves: readonly CurveResult[];
}

export interface CurveResult {
  readonly name: string;
  readonly unit: string;
  readonly target: GrowthTarget;
  readonly points: readonly PointResult[];
  readonly judgement: Judgement;
}

export interface PointResult extends Summary {
  readonly size: number;
  readonly samples: readonly number[];
}

export interface ProfileResult extends ProfileShares {
  readonly name: string;
}

/** Measures the wanted parts of a suite. A failure becomes the result's `problem`, so that the other suites still run. */
export async function runSuite(
  suite: Suite,
  context: BenchContext,
  isWanted: (name: string) => boolean,
  progress: (text: string) => void,
): Promise<SuiteResult> {
  const { name, about, layout = 'lines' } = suite;
  const cases: CaseResult[] = [];
  const curves: CurveResult[] = [];
  const profiles: ProfileResult[] = [];
  let axis: Axis | undefined;
  const result = () => ({
    name,
    about,
    layout,
    cases,
    profiles,
    ...(axis === undefined ? {} : { growth: { axis, curves } }),
  });
  try {
    progress(`${name}: starting what is measured`);
    const open = await suite.open(context);
    axis = open.growth?.axis;
    const wanted = <Measured extends { readonly name: string }>(all: readonly Measured[] = []) =>
      all.filter((each) => isWanted(each.name));
    try {
      for (const benchCase of wanted(open.cases)) {
        progress(`${name}/${benchCase.name}`);
        cases.push(await runCase(benchCase, context));
      }
      for (const curve of wanted(open.growth?.curves)) {
        progress(`${name}/${curve.name}`);
        curves.push(await runCurve(curve, context));
      }
      for (const profile of wanted(open.profiles)) {
        progress(`${name}/${profile.name}`);
        profiles.push({ name: profile.name, ...(await profile.take()) });
      }
    } finally {
      await open.close?.();
    }
    return result();
  } catch (thrown) {
    return { ...result(), problem: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

/** Measures ours, the reference and the peers in turns. */
export async function runCase(benchCase: Case, context: BenchContext): Promise<CaseResult> {
  const { name, unit, target, ours, reference, peers = {} } = benchCase;
  const named: [string, Contender][] = [
    ['ours', ours],
    ...(reference === undefined ? [] : ([['reference', reference]] as [string, Contender][])),
    ...Object.entries(peers),
  ];
  const rounds = benchCase.rounds ?? (context.quick ? 3 : 7);
  const samples = await takeTurns(
    named.map(([, contender]) => contender),
    { rounds, warmUps: benchCase.warmUps ?? (rounds > 1 ? 1 : 0) },
  );
  const contenders = named.map(([contender], index) => {
    const own = samples[index] ?? [];
    return { name: contender, samples: own, ...summarize(own) };
  });
  const [oursResult, referenceResult] = contenders;
  const compared = reference === undefined ? undefined : referenceResult?.samples;
  return { name, unit, contenders, judgement: judge(target, oursResult?.samples ?? [], compared) };
}

/** Measures all sizes of a curve in turns. */
async function runCurve({ name, unit, target, points }: Curve, { quick }: BenchContext): Promise<CurveResult> {
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

/** Each round begins with another contender, so that a slow moment of the machine affects all of them. Gives the samples of each. */
async function takeTurns(
  contenders: readonly Contender[],
  { rounds, warmUps }: { readonly rounds: number; readonly warmUps: number },
): Promise<number[][]> {
  const samples = contenders.map((): number[] => []);
  for (const contender of contenders) for (let turn = 0; turn < warmUps; turn += 1) await contender.sample();
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const next = (round + turn) % contenders.length;
      const sample = await contenders[next]?.sample();
      if (sample !== undefined) samples[next]?.push(sample);
    }
  }
  return samples;
}
