import type { CaseResult, ContenderResult } from '../run-case.ts';
import { summarize } from '../statistics.ts';
import type { Grid } from './grid.ts';
import { withSpread } from './numbers.ts';

/** A line for each case and a column for each contender, with its speed against the reference; a grid for each set of contenders. */
export function matrixGrids(cases: readonly CaseResult[]): Grid[] {
  const bySet = new Map<string, CaseResult[]>();
  for (const each of cases) {
    const set = each.contenders.map(({ name }) => name).join();
    bySet.set(set, [...(bySet.get(set) ?? []), each]);
  }
  return [...bySet.values()].map(matrixGrid);
}

function matrixGrid(cases: readonly CaseResult[]): Grid {
  const names = (cases[0]?.contenders ?? []).map(({ name }) => name).filter((name) => name !== 'reference');
  return {
    columns: ['case', 'reference', ...names],
    rows: cases.map(({ name, unit, contenders }) => {
      const reference = contenders.find((contender) => contender.name === 'reference');
      const others = contenders.filter((contender) => contender !== reference);
      if (reference === undefined) throw new Error(`${name} has nothing to be compared with.`);
      return [name, `${withSpread(reference)} ${unit}`, ...others.map((other) => speed(reference, other))];
    }),
  };
}

/** The median of the rounds' own ratios, as the judged cases have it. */
function speed(reference: ContenderResult, other: ContenderResult): string {
  const ratios = other.samples.map((sample, round) => (reference.samples[round] ?? Number.NaN) / sample);
  const { median, spread } = summarize(ratios);
  return `${median.toFixed(2)} ±${(spread * median).toFixed(2)}`;
}
