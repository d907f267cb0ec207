import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import type { SuiteResult } from '../run-suites.ts';
import { type Chart, drawChart } from './draw-chart.ts';
import { growthCharts } from './growth-charts.ts';
import { type Grid, suiteGrids } from './suite-grids.ts';

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memory: string;
  readonly system: string;
  /** The load average when the bench begins. */
  readonly load: number;
  readonly versions: Readonly<Record<string, string | undefined>>;
}

/** Next to the page. */
const chartsFolder = 'benchmarks';

const howToRead = `# Benchmarks

Written by \`npm run bench\`. Do not edit it.

**How to read it.** Each case is measured beside its reference, in turns in the same run, so that a slow moment of the machine
affects both. A number is the median of the rounds; ± is half the distance between the quartiles. CPU time is the time that the
measured process used: it depends far less on the machine's load than requests per second do. The ratio is the median of the
ratios of each round; in parentheses is the interval in which it lies with a confidence of 95%, or all of it when there are fewer
than six rounds. Where \`≥\` is asked, it is the cost of the reference ÷ ours (1: as fast as the reference, 2: twice as fast);
where \`≤\` is asked, it is ours ÷ the reference. Without a ratio, the number itself is judged, and has the interval.
✓ met, ★ reaches the aim, ✗ falls short: the whole interval does; ≈ undecided: the median does, the interval does not, or there are
fewer than six rounds. Lines in italics are other packages that do the same, for comparison.
Growth is the cost at the largest size ÷ the cost at the smallest; where the work itself grows, the cost per unit at the largest
size ÷ the lowest cost per unit at any smaller size. A core can serve 1,000,000 ÷ the cost in µs requests per second.
`;

/** What the numbers depend on, and nothing that identifies the machine. */
export function describeMachine(): Machine {
  const processors = cpus();
  const { node, v8, icu, openssl } = process.versions;
  return {
    processor: `${processors[0]?.model.trim() || 'unknown'} (${process.arch})`,
    cores: processors.length,
    memory: `${(totalmem() / 2 ** 30).toFixed(1)} GiB`,
    system: `${type()} ${release().split('-')[0]}`,
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
    versions: { node, v8, icu, openssl },
  };
}

/** Writes `benchmarks.md` and its charts. */
export function writePage(folder: string, machine: Machine, results: readonly SuiteResult[]): void {
  mkdirSync(join(folder, chartsFolder), { recursive: true });
  const page = [howToRead, machineSection(machine), ...results.map(suiteSection)].join('\n');
  writeFileSync(join(folder, 'benchmarks.md'), page);
  for (const chart of results.flatMap(suiteCharts)) {
    writeFileSync(join(folder, chartsFolder, `${chart.name}.svg`), drawChart(chart));
  }
}

function suiteCharts({ name, growth }: SuiteResult): Chart[] {
  return growth === undefined ? [] : growthCharts(name, growth);
}

function machineSection({ processor, cores, memory, system, load, versions }: Machine): string {
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `## Machine\n\n${processor}, ${cores} cores, ${memory}, ${system}; ${named.join(', ')}. Load average at the start: ${load}.\n`;
}

function suiteSection(result: SuiteResult): string {
  const { name, about, problem } = result;
  const failure = problem === undefined ? [] : [`It could not be measured: ${problem}\n`];
  const parts = [...suiteGrids(result).map(gridText), ...suiteCharts(result).map(image), ...failure];
  return [`## ${name}\n`, `${about}\n`, ...parts].join('\n');
}

function image({ name, title }: Chart): string {
  return `![${title}](${chartsFolder}/${name}.svg)\n`;
}

function gridText({ columns, rows }: Grid): string {
  const lines = [columns, columns.map(() => '---'), ...rows].map(line);
  return `${lines.join('\n')}\n`;
}

function line(cells: readonly string[]): string {
  const [first = '', ...rest] = cells.map((cell) => cell.replaceAll('|', '\\|'));
  const name = first.startsWith('  ') ? `*${first.trim()}*` : first;
  return `| ${[name, ...rest].join(' | ')} |`;
}
