import { performance } from 'node:perf_hooks';
import { type Judgement, judge, judgeGrowth, type Summary, summarize } from './judge.ts';
import type { Axis, BenchContext, Case, Contender, Curve, GrowthTarget, ProfileShares, Suite } from './suite.ts';

export interface SuiteResult {
  readonly name: string;
  readonly about: string;
  readonly layout: 'lines' | 'matrix';
  readonly cases: readonly CaseResult[];
  readonly growth?: GrowthResult;
  readonly profiles: readonly ProfileResult[];
  /** How long it took to measure, in seconds. */
  readonly seconds: number;
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

/** When to be done, by `performance.now()`. */
export type Deadline = number;

/** The part of the time that is left for the next of so many that share it: what one does not use is left for the others. */
export function shareOfTime(deadline: Deadline, sharers: number, now = performance.now()): Deadline {
  return now + Math.max(0, deadline - now) / Math.max(1, sharers);
}

/** Measures the wanted parts of a suite. A failure becomes the result's `problem`, so that the other suites still run. */
export async function runSuite(
  suite: Suite,
  context: BenchContext,
  isWanted: (name: string) => boolean,
  progress: (text: string) => void,
  deadline: Deadline = Number.POSITIVE_INFINITY,
): Promise<SuiteResult> {
  const started = performance.now();
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
    seconds: (performance.now() - started) / 1000,
    ...(axis === undefined ? {} : { growth: { axis, curves } }),
  });
  try {
    progress(`${name}: starting what is measured`);
    const open = await suite.open(context);
    axis = open.growth?.axis;
    const wanted = <Measured extends { readonly name: string }>(all: readonly Measured[] = []) =>
      all.filter((each) => isWanted(each.name));
    const [wantedCases, wantedCurves, wantedProfiles] = [
      wanted(open.cases),
      wanted(open.growth?.curves),
      wanted(open.profiles),
    ];
    let left = wantedCases.length + wantedCurves.length + wantedProfiles.length;
    const nextDeadline = () => shareOfTime(deadline, left--);
    try {
      for (const benchCase of wantedCases) {
        progress(`${name}/${benchCase.name}`);
        cases.push(await runCase(benchCase, context, nextDeadline()));
      }
      for (const curve of wantedCurves) {
        progress(`${name}/${curve.name}`);
        curves.push(await runCurve(curve, context, nextDeadline()));
      }
      for (const profile of wantedProfiles) {
        progress(`${name}/${profile.name}`);
        nextDeadline();
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

/** As few samples as a median can be taken from. */
const fewestRounds = 3;
/** Rows that are only shown need no more. */
const shownRounds = 4;
/** As few as an interval with a confidence of 95% can be taken from. */
const usualRounds = 6;
/** A row that is still undecided after these is so close to what is asked that it does not matter. */
const mostRounds = 15;

/** Measures ours, the reference and the peers in turns: until it is certain whether the target is met, or the time is over. */
export async function runCase(
  benchCase: Case,
  context: BenchContext,
  deadline: Deadline = Number.POSITIVE_INFINITY,
): Promise<CaseResult> {
  const { name, unit, target, ours, reference, peers = {} } = benchCase;
  const named: [string, Contender][] = [
    ['ours', ours],
    ...(reference === undefined ? [] : ([['reference', reference]] as [string, Contender][])),
    ...Object.entries(peers),
  ];
  const judgeSamples = ([own = [], others]: readonly number[][]) =>
    judge(target, own, reference === undefined ? undefined : others);
  const given = benchCase.rounds ?? (context.quick ? 3 : undefined);
  const samples = await takeTurns(
    named.map(([, contender]) => contender),
    {
      warmUps: benchCase.warmUps ?? (given === 1 ? 0 : 1),
      fewest: Math.min(given ?? fewestRounds, fewestRounds),
      usual: given ?? ('shown' in target ? shownRounds : usualRounds),
      most: given ?? mostRounds,
      deadline,
      judged: named.length - Object.keys(peers).length,
      isCertain: (taken) => judgeSamples(taken).isCertain,
    },
  );
  const contenders = named.map(([contender], index) => {
    const own = samples[index] ?? [];
    return { name: contender, samples: own, ...summarize(own) };
  });
  return { name, unit, contenders, judgement: judgeSamples(samples) };
}

/** Measures all sizes of a curve in turns. */
async function runCurve(curve: Curve, { quick }: BenchContext, deadline: Deadline): Promise<CurveResult> {
  const { name, unit, target, points } = curve;
  const measuredPoints = (samples: readonly number[][]) =>
    points.map(({ size }, index) => {
      const own = samples[index] ?? [];
      return { size, samples: own, ...summarize(own) };
    });
  const samples = await takeTurns(
    points.map(({ cost }) => cost),
    {
      ...(quick ? { warmUps: 1, fewest: 2, usual: 2, most: 2 } : { warmUps: 3, fewest: 3, usual: 6, most: mostRounds }),
      deadline,
      judged: points.length,
      isCertain: (taken) => judgeGrowth(target, measuredPoints(taken)).isCertain,
    },
  );
  const measured = measuredPoints(samples);
  return { name, unit, target, points: measured, judgement: judgeGrowth(target, measured) };
}

interface Turns {
  /** How many samples of each contender are discarded first. */
  readonly warmUps: number;
  /** These are taken even when the time is over. */
  readonly fewest: number;
  /** After these, it ends as soon as the result is certain. */
  readonly usual: number;
  readonly most: number;
  readonly deadline: Deadline;
  /** How many of the contenders are judged; the peers behind them are only shown, and take the fewest samples. */
  readonly judged: number;
  readonly isCertain: (samples: readonly number[][]) => boolean;
}

/** Each round begins with another contender, so that a slow moment of the machine affects all of them. Gives the samples of each. */
async function takeTurns(contenders: readonly Contender[], turns: Turns): Promise<number[][]> {
  const { warmUps, fewest, usual, most, deadline, judged, isCertain } = turns;
  const samples = contenders.map((): number[] => []);
  for (let turn = 0; turn < warmUps; turn += 1) {
    // One is always taken, since the first sample is mostly compilation.
    if (turn > 0 && performance.now() >= deadline) break;
    for (const contender of contenders) await contender.sample();
  }
  for (let round = 0; round < most; round += 1) {
    if (round >= fewest && performance.now() >= deadline) break;
    if (round >= usual && isCertain(samples)) break;
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const next = (round + turn) % contenders.length;
      if (next >= judged && round >= fewest) continue;
      const sample = await contenders[next]?.sample();
      if (sample !== undefined) samples[next]?.push(sample);
    }
  }
  return samples;
}
