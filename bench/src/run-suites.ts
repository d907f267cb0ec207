import { Row, type RowResult } from './rows.ts';
import type { BenchContext, Suite } from './suite.ts';

export interface SuiteResult {
  readonly name: string;
  readonly about: string;
  readonly rows: readonly RowResult[];
  /** Why the suite, or the rest of it, could not be measured. */
  readonly problem?: string | undefined;
}

export interface RunOptions {
  /** Whether a case is measured. Default: all of them. */
  readonly isWanted?: (name: string) => boolean;
  readonly onProgress?: (text: string) => void;
  /** Called as soon as a suite is done. */
  readonly onResult?: (result: SuiteResult) => void;
  /** When to be done, by `performance.now()`. Default: as long as it takes. */
  readonly deadline?: number;
}

/**
 * Measures all suites, one after the other. A suite with rows of which it is not certain whether they meet their targets stays open:
 * the time that is left in the end is for these rows. Gives the results in the order of the suites.
 */
export async function runSuites(
  suites: readonly Suite[],
  context: BenchContext,
  { isWanted = () => true, onProgress = () => {}, onResult = () => {}, deadline = Infinity }: RunOptions = {},
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
    const left = deadline - performance.now();
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
  readonly #rows: Row[] = [];
  readonly #stops: (() => unknown)[] = [];
  #problem: string | undefined;
  isClosed = false;

  constructor(suite: Suite, onProgress: (text: string) => void) {
    this.#suite = suite;
    this.#onProgress = (text) => onProgress(`${suite.name}: ${text}`);
  }

  /** Those that more rounds could decide. */
  get openRows(): readonly Row[] {
    return this.#problem === undefined ? this.#rows.filter(({ isOpen }) => isOpen) : [];
  }

  get result(): SuiteResult {
    const { name, about } = this.#suite;
    return { name, about, rows: this.#rows.map(({ result }) => result), problem: this.#problem };
  }

  /** Starts what is measured, and takes the usual rounds of each row. */
  begin(context: BenchContext, isWanted: (name: string) => boolean, deadline: number): Promise<void> {
    const onClose = (stop: () => unknown) => {
      this.#stops.unshift(stop);
      context.onClose(stop);
    };
    return this.#attempt('starting what is measured', async () => {
      for (const each of await this.#suite.open({ ...context, onClose })) {
        if (!isWanted(each.name)) continue;
        const row = new Row(each, context);
        this.#onProgress(row.name);
        await row.begin(deadline);
        this.#rows.push(row);
      }
    });
  }

  goOn(row: Row): Promise<void> {
    return this.#attempt(row.name, () => row.goOn());
  }

  async close(): Promise<SuiteResult> {
    for (const stop of this.#stops) await this.#attempt('stopping what was measured', async () => void (await stop()));
    this.isClosed = true;
    return this.result;
  }

  async #attempt(text: string, work: () => Promise<void>): Promise<void> {
    this.#onProgress(text);
    try {
      await work();
    } catch (thrown) {
      this.#problem ??= thrown instanceof Error ? thrown.message : String(thrown);
    }
  }
}
