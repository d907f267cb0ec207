import type { Chart } from '../plot/chart.ts';
import { suiteCharts } from '../plot/suite-charts.ts';
import type { SuiteResult } from '../run-suite.ts';
import type { Grid } from './grid.ts';
import type { Machine } from './machine.ts';
import { suiteGrids } from './suite-grids.ts';

/** Beside the page. */
export const chartsFolder = 'benchmarks';

const howToRead = `# Benchmarks

Written by \`npm run bench\`. Do not edit it.

**How to read it.** Each case is measured beside its reference, in the same run, in turns, so that a slow moment of the machine
hits both. A number is the median of the rounds; ± is half the distance between the quartiles. CPU time is what the process that
does the work used: it moves far less with the machine's load than requests per second do. The ratio is the median of the
rounds' own ratios. Where \`≥\` is asked it is the reference's cost ÷ ours (1 is as fast as the reference, 2 twice as fast);
where \`≤\` is asked it is ours ÷ the reference's. Without a reference, the number itself is judged.
✓ is met, ★ reaches the aim, ✗ falls short. Lines in italics are others who do the same, for comparison.
Growth is judged from end to end: the cost at the largest size ÷ that at the smallest; where the work itself grows, the cost of
each unit at the largest size ÷ the least at any smaller one. A second has 1,000,000 µs: a core serves as many requests of a
kind as their cost goes into that.
`;

/** The page \`docs/benchmarks.md\`. */
export function markdown(machine: Machine, results: readonly SuiteResult[]): string {
  return [howToRead, machineSection(machine), ...results.map(suiteSection)].join('\n');
}

function machineSection({ processor, cores, memory, system, load, versions }: Machine): string {
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `## Machine\n\n${processor}, ${cores} cores, ${memory}, ${system}; ${named.join(', ')}. Load average when it began: ${load}.\n`;
}

function suiteSection(result: SuiteResult): string {
  const { name, about, problem } = result;
  const failure = problem === undefined ? [] : [`It could not be measured: ${problem}\n`];
  const parts = [...suiteGrids(result).map(gridLines), ...suiteCharts(result).map(image), ...failure];
  return [`## ${name}\n`, `${about}\n`, ...parts].join('\n');
}

function image({ name, title }: Chart): string {
  return `![${title}](${chartsFolder}/${name}.svg)\n`;
}

function gridLines({ columns, rows }: Grid): string {
  const lines = [columns, columns.map(() => '---'), ...rows].map(line);
  return `${lines.join('\n')}\n`;
}

function line(cells: readonly string[]): string {
  const [first = '', ...rest] = cells.map((cell) => cell.replaceAll('|', '\\|'));
  const name = first.startsWith('  ') ? `*${first.trim()}*` : first;
  return `| ${[name, ...rest].join(' | ')} |`;
}
