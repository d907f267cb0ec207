import { type CaseResult, runCase } from './run-case.ts';
import type { BenchContext, Suite } from './suite.ts';

export interface SuiteResult {
  readonly name: string;
  readonly about: string;
  readonly layout: 'lines' | 'matrix';
  readonly cases: readonly CaseResult[];
  /** Why the suite, or the rest of it, could not be measured. */
  readonly problem?: string;
}

/** Runs the cases that are wanted. A suite that fails does not keep the others from being measured. */
export async function runSuite(
  suite: Suite,
  context: BenchContext,
  isWanted: (caseName: string) => boolean,
  progress: (text: string) => void,
): Promise<SuiteResult> {
  const { name, about, layout = 'lines' } = suite;
  const cases: CaseResult[] = [];
  try {
    progress(`${name}: starting what is measured`);
    const open = await suite.open(context);
    try {
      for (const benchCase of open.cases) {
        if (!isWanted(benchCase.name)) continue;
        progress(`${name}/${benchCase.name}`);
        cases.push(await runCase(benchCase, context));
      }
    } finally {
      await open.close?.();
    }
    return { name, about, layout, cases };
  } catch (thrown) {
    return { name, about, layout, cases, problem: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}
