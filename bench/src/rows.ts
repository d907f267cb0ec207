import { performance } from 'node:perf_hooks';
import { type Judgement, judge, judgeGrowth, type Summary, summarize } from './judge.ts';
import type { BenchContext, Case, Contender, Curve, GrowthTarget } from './suite.ts';

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

/** When to be done, by `performance.now()`. */
export type Deadline = number;

/** As few samples as a median can be taken from. */
const fewestRounds = 3;
/** Rows that are only shown need no more. */
const shownRounds = 4;
/** As few as an interval with a confidence of 95% can be taken from. */
const usualRounds = 6;
/** Before a row counts as short: the first samples may have been of code that was not warm yet. */
const roundsUntilShort = 15;
/** A row that is still undecided after these is so close to what is asked that it does not matter. */
const mostRounds = 60;
/** Judged after each of these: the fewer looks, the rarer a wrong verdict by chance. */
const roundsAtOnce = 3;

interface Plan {
  readonly contenders: readonly Contender[];
  /** Whether the contender at this index is judged; those that are only shown take the fewest samples. */
  readonly isJudged: (index: number) => boolean;
  /** How many samples of each contender are discarded first. */
  readonly warmUps: number;
  readonly usual: number;
  readonly most: number;
}

/** A row while it is measured. */
export class Row<Result extends { readonly judgement: Judgement } = CaseResult | CurveResult> {
  readonly name: string;
  readonly #plan: Plan;
  readonly #samples: number[][];
  readonly #summarize: (samples: readonly (readonly number[])[]) => Result;
  #rounds = 0;
  #milliseconds = 0;

  constructor(name: string, plan: Plan, summarizeSamples: (samples: readonly (readonly number[])[]) => Result) {
    this.name = name;
    this.#plan = plan;
    this.#samples = plan.contenders.map(() => []);
    this.#summarize = summarizeSamples;
  }

  /** How long its rounds have taken so far. */
  get milliseconds(): number {
    return this.#milliseconds;
  }

  /** How long `goOn` will take, as far as one can tell. */
  get expectedMilliseconds(): number {
    return (this.#milliseconds / this.#rounds) * roundsAtOnce;
  }

  get result(): Result {
    return this.#summarize(this.#samples);
  }

  /** Whether more rounds could tell if the target is met. */
  get isOpen(): boolean {
    const { verdict, isCertain } = this.result.judgement;
    const isEarly = verdict === 'short' && this.#rounds < roundsUntilShort;
    return this.#rounds < this.#plan.most && (isEarly || !isCertain);
  }

  /** Warms up and takes the usual rounds, or the fewest of both when the time is over. */
  async begin(deadline: Deadline = Number.POSITIVE_INFINITY): Promise<void> {
    const { contenders, warmUps, usual } = this.#plan;
    for (let turn = 0; turn < warmUps; turn += 1) {
      if (turn > 0 && performance.now() >= deadline) break;
      for (const contender of contenders) await contender.sample();
    }
    while (this.#rounds < usual) {
      if (this.#rounds >= fewestRounds && performance.now() >= deadline) break;
      await this.#takeRound();
    }
  }

  /** Takes a few more rounds. */
  async goOn(): Promise<void> {
    for (let turn = 0; turn < roundsAtOnce; turn += 1) await this.#takeRound();
  }

  /** Each round begins with another contender, so that a slow moment of the machine affects all of them. */
  async #takeRound(): Promise<void> {
    const { contenders, isJudged } = this.#plan;
    const began = performance.now();
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const next = (this.#rounds + turn) % contenders.length;
      if (this.#rounds >= fewestRounds && !isJudged(next)) continue;
      const sample = await contenders[next]?.sample();
      if (sample !== undefined) this.#samples[next]?.push(sample);
    }
    this.#rounds += 1;
    this.#milliseconds += performance.now() - began;
  }
}

/** Ours, the reference and the peers in turns. */
export function caseRow(benchCase: Case, { quick }: BenchContext): Row<CaseResult> {
  const { name, unit, target, ours, reference, peers = {} } = benchCase;
  const named: [string, Contender][] = [
    ['ours', ours],
    ...(reference === undefined ? [] : ([['reference', reference]] as [string, Contender][])),
    ...Object.entries(peers),
  ];
  const judged = reference === undefined ? 1 : 2;
  const given = quick ? Math.min(benchCase.rounds ?? fewestRounds, fewestRounds) : benchCase.rounds;
  const plan = {
    contenders: named.map(([, contender]) => contender),
    isJudged: (index: number) => index < judged,
    warmUps: benchCase.warmUps ?? (given === 1 ? 0 : 1),
    usual: given ?? ('shown' in target ? shownRounds : usualRounds),
    most: quick ? fewestRounds : mostRounds,
  };
  return new Row(name, plan, (samples) => ({
    name,
    unit,
    contenders: named.map(([contender], index) => summarized({ name: contender }, samples[index])),
    judgement: judge(target, samples[0] ?? [], reference === undefined ? undefined : samples[1]),
  }));
}

/** All sizes of a curve in turns. */
export function curveRow(curve: Curve, { quick }: BenchContext): Row<CurveResult> {
  const { name, unit, target, points } = curve;
  const last = points.length - 1;
  const plan = {
    contenders: points.map(({ cost }) => cost),
    isJudged: (index: number) => 'linear' in target || index === 0 || index === last,
    warmUps: quick ? 1 : (curve.warmUps ?? 1),
    ...(quick ? { usual: 2, most: 2 } : { usual: curve.rounds ?? usualRounds, most: mostRounds }),
  };
  return new Row(name, plan, (samples) => {
    const measured = points.map(({ size }, index) => summarized({ size }, samples[index]));
    return { name, unit, target, points: measured, judgement: judgeGrowth(target, measured) };
  });
}

function summarized<Named extends object>(named: Named, samples: readonly number[] = []) {
  return { ...named, samples: [...samples], ...summarize(samples) };
}
