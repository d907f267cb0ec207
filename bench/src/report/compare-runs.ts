import { confidenceInterval, type Interval, quantile, ratios } from '../judge.ts';
import type { CaseResult } from '../rows.ts';
import type { SuiteResult } from '../run-suites.ts';

/** Of a case in both runs, or the name of one that only one of them has; names are `suite/case`. */
export type Comparison = ComparedCase | { readonly name: string; readonly verdict: 'only before' | 'only now' };

interface ComparedCase {
  readonly name: string;
  /** How fast the change is, relative to the base: 1 is as fast, 2 twice as fast. */
  readonly speed: number;
  readonly interval: Interval;
  readonly verdict: 'faster' | 'same' | 'slower';
}

/** Less than this is not worth a second look, and within what two runs on one machine may differ by. */
const tolerance = 0.1;

/** Compares the cases of two runs on the same machine, each by its ratio to its own reference where it has one. */
export function compareRuns(base: readonly SuiteResult[], change: readonly SuiteResult[]): readonly Comparison[] {
  const before = new Map(base.flatMap(namedCases));
  const now = new Map(change.flatMap(namedCases));
  return [...new Set([...now.keys(), ...before.keys()])].map((name) => {
    const [old, after] = [before.get(name), now.get(name)];
    if (old === undefined) return { name, verdict: 'only now' };
    if (after === undefined) return { name, verdict: 'only before' };
    return compareCases(name, speeds(old), speeds(after));
  });
}

const namedCases = ({ name, cases }: SuiteResult) => cases.map((each) => [`${name}/${each.name}`, each] as const);

/** The reference ÷ ours of each round, or 1 ÷ ours: more is better. */
function speeds({ contenders }: CaseResult): readonly number[] {
  const ours = contenders[0]?.samples ?? [];
  const reference = contenders.find(({ name }) => name === 'reference')?.samples;
  return ratios(reference ?? ours.map(() => 1), ours);
}

function compareCases(name: string, before: readonly number[], after: readonly number[]): ComparedCase {
  const [old, now] = [confidenceInterval(before), confidenceInterval(after)];
  const interval = { low: now.low / old.high, high: now.high / old.low };
  const speed = quantile(after, 0.5) / quantile(before, 0.5);
  const verdict = interval.high < 1 - tolerance ? 'slower' : interval.low > 1 + tolerance ? 'faster' : 'same';
  return { name, speed, interval, verdict };
}

/** What has changed, as a table in Markdown. */
export function comparisonTable(comparisons: readonly Comparison[]): string {
  const changed = comparisons.filter(({ verdict }) => verdict !== 'same');
  const rows = changed.map(
    (each) => `| ${each.name} | ${'speed' in each ? `${speedOf(each)} ` : ''}| ${each.verdict} |`,
  );
  const compared = comparisons.filter((each) => 'speed' in each);
  const same = `${comparisons.length - changed.length} of ${compared.length} cases are as fast as before, within a tenth or within the noise.`;
  return rows.length === 0 ? same : ['| case | speed | |', '|---|---|---|', ...rows, '', same].join('\n');
}

const speedOf = ({ speed, interval }: ComparedCase) =>
  `${speed.toFixed(2)} (${interval.low.toFixed(2)}–${interval.high.toFixed(2)})`;
