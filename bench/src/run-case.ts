import { type Judgement, judge } from './judge.ts';
import { type Summary, summarize } from './statistics.ts';
import type { BenchContext, Case, Contender } from './suite.ts';

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

interface Runner {
  readonly name: string;
  readonly contender: Contender;
  readonly samples: number[];
}

/** Takes the contenders' samples in turns, each round beginning with another, so that a slow moment of the machine hits them all. */
export async function runCase(benchCase: Case, context: BenchContext): Promise<CaseResult> {
  const runners = runnersOf(benchCase);
  const rounds = benchCase.rounds ?? (context.quick ? 3 : 7);
  if (rounds > 1) for (const { contender } of runners) await contender.sample();

  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < runners.length; turn += 1) {
      const runner = runners[(round + turn) % runners.length];
      if (runner !== undefined) runner.samples.push(await runner.contender.sample());
    }
  }

  const contenders = runners.map(({ name, samples }) => ({ name, samples, ...summarize(samples) }));
  const [ours, reference] = contenders;
  if (ours === undefined) throw new Error('A case measures at least ours.');
  const compared = benchCase.reference === undefined ? undefined : reference?.samples;
  return {
    name: benchCase.name,
    unit: benchCase.unit,
    contenders,
    judgement: judge(benchCase.target, ours.samples, compared),
  };
}

function runnersOf({ ours, reference, peers = {} }: Case): Runner[] {
  const named: [string, Contender][] = [
    ['ours', ours],
    ...(reference === undefined ? [] : ([['reference', reference]] as [string, Contender][])),
    ...Object.entries(peers),
  ];
  return named.map(([name, contender]) => ({ name, contender, samples: [] }));
}
