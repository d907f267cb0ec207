import { fewestForConfidence, type Judgement, judge, type Summary, summarize } from './judge.ts';
import type { BenchContext, Case, Contender } from './suite.ts';

export interface RowResult {
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

/** As few samples as a median can be taken from. */
const fewestRounds = 3;
/** Before a row counts as short: the first samples may have been of code that was not warm yet. */
const roundsUntilShort = 15;
/** A row that is still undecided after these is so close to what is asked that it does not matter. */
const mostRounds = 60;
/** Judged after each of these: the fewer looks, the rarer a wrong verdict by chance. */
const roundsAtOnce = 3;

interface Measured {
  readonly name: string;
  readonly contender: Contender;
  /** Those that are only shown take the fewest samples. */
  readonly isJudged: boolean;
  readonly samples: number[];
}

/** A case while it is measured: ours, the reference and the peers in turns. */
export class Row {
  readonly name: string;
  /** How long its rounds have taken so far. */
  milliseconds = 0;
  readonly #case: Case;
  readonly #measured: readonly Measured[];
  readonly #warmUps: number;
  readonly #usual: number;
  readonly #most: number;
  #rounds = 0;

  constructor(benchCase: Case, { quick }: Pick<BenchContext, 'quick'>) {
    const { ours, reference, peers = {}, rounds = fewestForConfidence, warmUps = 1 } = benchCase;
    const judged = { ours, ...(reference && { reference }) };
    this.#case = benchCase;
    this.name = benchCase.name;
    this.#measured = Object.entries({ ...judged, ...peers }).map(([name, contender]) => {
      return { name, contender, isJudged: name in judged, samples: [] };
    });
    this.#warmUps = warmUps;
    this.#usual = quick ? Math.min(Math.ceil(rounds / 2), fewestRounds) : rounds;
    this.#most = quick ? this.#usual : mostRounds;
  }

  /** How long `goOn` will take, as far as one can tell. */
  get expectedMilliseconds(): number {
    return (this.milliseconds / this.#rounds) * roundsAtOnce;
  }

  get result(): RowResult {
    const { name, unit = 'µs CPU', target, reference } = this.#case;
    const contenders = this.#measured.map((each) => {
      return { name: each.name, samples: [...each.samples], ...summarize(each.samples) };
    });
    const [ours, other] = contenders.map(({ samples }) => samples);
    return { name, unit, contenders, judgement: judge(target, ours ?? [], reference && other) };
  }

  /** Whether more rounds could tell if the target is met. */
  get isOpen(): boolean {
    const { verdict, isCertain } = this.result.judgement;
    const isEarly = verdict === 'short' && this.#rounds < roundsUntilShort;
    return this.#rounds < this.#most && (isEarly || !isCertain);
  }

  /** Warms up and takes the usual rounds, or the fewest of both when the time is over: by `performance.now()`. */
  async begin(deadline = Infinity): Promise<void> {
    for (let turn = 0; turn < this.#warmUps; turn += 1) {
      if (turn > 0 && performance.now() >= deadline) break;
      for (const { contender } of this.#measured) await contender();
    }
    while (this.#rounds < this.#usual) {
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
    const began = performance.now();
    const first = this.#rounds % this.#measured.length;
    const inTurn = [...this.#measured.slice(first), ...this.#measured.slice(0, first)];
    for (const { contender, isJudged, samples } of inTurn) {
      if (isJudged || this.#rounds < fewestRounds) samples.push(await contender());
    }
    this.#rounds += 1;
    this.milliseconds += performance.now() - began;
  }
}
