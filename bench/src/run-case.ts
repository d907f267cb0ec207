import { type Judgement, judge } from './judge.ts';
import { type Summary, summarize } from './statistics.ts';
import type { BenchContext, Case, Contender } from './suite.ts';
import { takeTurns } from './take-turns.ts';

export interface ContenderResult extends Summary {
  readonly name: string;
  readonly samples: readonly number[];
}

export interface CaseResult {
  readonly name: string;
  readonly unit: string;
  /** Ours, the reference if there is one, then the peers. */
  readonly contenders: readonly ContenderResult[];
  readonly judgement: Judgement;
}

/** Measures ours beside the reference and the peers. */
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
  const contenders = named.map(([contender], index) => resultOf(contender, samples[index] ?? []));
  const [oursResult, referenceResult] = contenders;
  const compared = reference === undefined ? undefined : referenceResult?.samples;
  return { name, unit, contenders, judgement: judge(target, oursResult?.samples ?? [], compared) };
}

function resultOf(name: string, samples: readonly number[]): ContenderResult {
  return { name, samples, ...summarize(samples) };
}
