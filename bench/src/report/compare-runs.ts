import { confidenceInterval, type Interval, quantile, ratios } from '../judge.ts';
import type { CaseResult } from '../rows.ts';
import type { SuiteResult } from '../run-suites.ts';

export interface Comparison {
  /** `suite/case` */
  readonly name: string;
  /** How fast the change is, relative to the base: 1 is as fast, 2 twice as fast. */
  readonly speed: number;
  readonly interval: Interval;
  readonly verdict: 'faster' | 'same' | 'slower';
}

/** Less than this is not worth a second look, and within what two runs on one machine may differ by. */
const tolerance = 0.1;

/** Compares the cases that two runs on the same machine have in common, each by its ratio to its own reference where it has one. */
export function compareRuns(base: readonly SuiteResult[], change: readonly SuiteResult[]): readonly Comparison[] {
  const before = new Map(base.flatMap(namedCases));
  return change.flatMap(namedCases).flatMap(([name, after]) => {
    const earlier = before.get(name);
    return earlier === undefined ? [] : [compareCases(name, speeds(earlier), speeds(after))];
  });
}

const namedCases = ({ name, cases }: SuiteResult) => cases.map((each) => [`${name}/${each.name}`, each] as const);

/** The reference ÷ ours of each round, or 1 ÷ ours: more is better. */
function speeds({ contenders }: CaseResult): readonly number[] {
  const ours = contenders[0]?.samples ?? [];
  const reference = contenders.find(({ name }) => name === 'reference')?.samples;
  return ratios(reference ?? ours.map(() => 1), ours);
}

function compareCases(name: string, before: readonly number[], after: readonly number[]): Comparison {
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
    ({ name, speed, interval, verdict }) =>
      `| ${name} | ${speed.toFixed(2)} (${interval.low.toFixed(2)}–${interval.high.toFixed(2)}) | ${verdict} |`,
  );
  const same = `${comparisons.length - changed.length} of ${comparisons.length} cases are as fast as before, within a tenth or within the noise.`;
  return rows.length === 0 ? same : ['| case | speed | |', '|---|---|---|', ...rows, '', same].join('\n');
}
