import type { Axis } from './growth/curve.ts';
import { type CurveResult, runCurve } from './growth/run-curve.ts';
import { type ProfileResult, takeProfile } from './profile/take-profile.ts';
import { type CaseResult, runCase } from './run-case.ts';
import type { BenchContext, Suite } from './suite.ts';

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

export interface GrowthResult {
  readonly axis: Axis;
  readonly curves: readonly CurveResult[];
}

/** Measures what is wanted. A suite that fails does not keep the others from being measured. */
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
      for (const plan of wanted(open.profiles)) {
        progress(`${name}/${plan.name}`);
        profiles.push(await takeProfile(plan));
      }
    } finally {
      await open.close?.();
    }
    return result();
  } catch (thrown) {
    return { ...result(), problem: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}
