import { performance } from 'node:perf_hooks';
import { type CaseResult, type CurveResult, caseRow, curveRow, type Deadline, type Row } from './rows.ts';
import type { Axis, BenchContext, OpenSuite, ProfileShares, Suite } from './suite.ts';

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

export interface GrowthResult {
  readonly axis: Axis;
  readonly curves: readonly CurveResult[];
}

export interface ProfileResult extends ProfileShares {
  readonly name: string;
}

export interface RunOptions {
  /** Whether a case, curve or profile is measured. Default: all of them. */
  readonly isWanted?: (name: string) => boolean;
  readonly onProgress?: (text: string) => void;
  /** Called as soon as a suite is done. */
  readonly onResult?: (result: SuiteResult) => void;
  /** Default: as long as it takes. */
  readonly deadline?: Deadline;
}

/**
 * Measures all suites, one after the other. A suite with rows of which it is not certain whether they meet their targets stays open:
 * the time that is left in the end is for these rows. Gives the results in the order of the suites.
 */
export async function runSuites(
  suites: readonly Suite[],
  context: BenchContext,
  { isWanted = () => true, onProgress = () => {}, onResult = () => {}, deadline }: RunOptions = {},
): Promise<SuiteResult[]> {
  const runs = suites.map((suite) => new SuiteRun(suite, onProgress));
  const closeIfDone = async (run: SuiteRun, isOver = false) => {
    if (!run.isClosed && (isOver || run.openRows.length === 0)) onResult(await run.close());
  };
  for (const run of runs) {
    await run.begin(context, isWanted, deadline);
    await closeIfDone(run);
  }
  for (;;) {
    const left = (deadline ?? Number.POSITIVE_INFINITY) - performance.now();
    const open = runs
      .filter(({ isClosed }) => !isClosed)
      .flatMap((run) => run.openRows.map((row) => ({ run, row })))
      .filter(({ row }) => row.expectedMilliseconds < left);
    // The row with the least time so far: a row of long samples must not take it from the others.
    const [next] = open.sort((one, other) => one.row.milliseconds - other.row.milliseconds);
    if (next === undefined) break;
    await next.run.goOn(next.row);
    await closeIfDone(next.run);
  }
  for (const run of runs) await closeIfDone(run, true);
  return runs.map(({ result }) => result);
}

/** A suite while it is measured. A failure becomes the result's `problem`, so that the other suites still run. */
class SuiteRun {
  readonly #suite: Suite;
  readonly #onProgress: (text: string) => void;
  readonly #cases: Row<CaseResult>[] = [];
  readonly #curves: Row<CurveResult>[] = [];
  readonly #profiles: ProfileResult[] = [];
  #open: OpenSuite | undefined;
  #axis: Axis | undefined;
  #milliseconds = 0;
  #problem: string | undefined;
  isClosed = false;

  constructor(suite: Suite, onProgress: (text: string) => void) {
    this.#suite = suite;
    this.#onProgress = onProgress;
  }

  /** Those that more rounds could decide. */
  get openRows(): readonly Row[] {
    return this.#problem === undefined ? [...this.#cases, ...this.#curves].filter(({ isOpen }) => isOpen) : [];
  }

  get result(): SuiteResult {
    const { name, about, layout = 'lines' } = this.#suite;
    const curves = this.#curves.map(({ result }) => result);
    return {
      name,
      about,
      layout,
      cases: this.#cases.map(({ result }) => result),
      profiles: this.#profiles,
      seconds: this.#milliseconds / 1000,
      ...(this.#axis === undefined ? {} : { growth: { axis: this.#axis, curves } }),
      ...(this.#problem === undefined ? {} : { problem: this.#problem }),
    };
  }

  /** Starts what is measured, and takes the usual rounds of each row. */
  begin(context: BenchContext, isWanted: (name: string) => boolean, deadline: Deadline | undefined): Promise<void> {
    return this.#attempt('starting what is measured', async () => {
      const open = await this.#suite.open(context);
      this.#open = open;
      this.#axis = open.growth?.axis;
      const wanted = <Named extends { readonly name: string }>(all: readonly Named[] = []) =>
        all.filter(({ name }) => isWanted(name));
      const begin = async <Begun extends Row<CaseResult> | Row<CurveResult>>(row: Begun, begun: Begun[]) => {
        this.#showProgress(row.name);
        await row.begin(deadline);
        begun.push(row);
      };
      for (const each of wanted(open.cases)) await begin(caseRow(each, context), this.#cases);
      for (const each of wanted(open.growth?.curves)) await begin(curveRow(each, context), this.#curves);
      for (const profile of wanted(open.profiles)) {
        this.#showProgress(profile.name);
        this.#profiles.push({ name: profile.name, ...(await profile.take()) });
      }
    });
  }

  goOn(row: Row): Promise<void> {
    return this.#attempt(row.name, () => row.goOn());
  }

  async close(): Promise<SuiteResult> {
    await this.#attempt('stopping what was measured', async () => this.#open?.close?.());
    this.isClosed = true;
    return this.result;
  }

  async #attempt(text: string, work: () => Promise<void>): Promise<void> {
    this.#showProgress(text);
    const began = performance.now();
    try {
      await work();
    } catch (thrown) {
      this.#problem ??= thrown instanceof Error ? thrown.message : String(thrown);
    } finally {
      this.#milliseconds += performance.now() - began;
    }
  }

  #showProgress(text: string): void {
    this.#onProgress(`${this.#suite.name}: ${text}`);
  }
}
