import { cpus, loadavg, release, totalmem, type } from 'node:os';
import type { Judgement, Summary } from './judge.ts';
import type { RowResult } from './rows.ts';
import type { SuiteResult } from './run-suites.ts';

const howToRead = `# Benchmarks

Written by \`npm run bench\`. Do not edit it.

**How to read it.** Each case is measured beside its reference, in turns in the same run. A number is the median of the rounds; ± is half the distance between the quartiles. CPU time is that of the measured process. The ratio is the median of the ratios of each round, with its interval of 95% confidence in parentheses (all of it below six rounds). Where \`≥\` is asked, it is reference ÷ ours (2: twice as fast); where \`≤\` is asked, ours ÷ reference. Without a ratio, the number itself is judged.
✓ met; ✗ falls short with the whole interval; ≈ undecided. Lines in italics are other packages that do the same. A core can serve 1,000,000 ÷ the cost in µs requests per second.
`;

/** What the numbers depend on, and nothing that identifies the machine; to be asked before the bench makes it busy. */
export function describeMachine(): string {
  const [processor] = cpus();
  const { node, v8, icu, openssl } = process.versions;
  return `## Machine

${processor?.model.trim() || 'unknown'} (${process.arch}), ${cpus().length} cores, ${(totalmem() / 2 ** 30).toFixed(1)} GiB, ${type()} ${release().split('-')[0]}; node ${node}, v8 ${v8}, icu ${icu}, openssl ${openssl}. Load average at the start: ${(loadavg()[0] ?? 0).toFixed(1)}.
`;
}

/** `bench/results.md`: a table for each suite. */
export function benchmarksPage(machine: string, results: readonly SuiteResult[]): string {
  return [howToRead, machine, ...results.map(suiteSection)].join('\n');
}

/** In Markdown, with columns that are aligned for the terminal. */
export function suiteSection({ name, about, rows, problem }: SuiteResult): string {
  const [head, body] = [['case', 'ours', 'reference', 'ratio', 'asked'], rows.flatMap(lines)];
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((cells) => cells[column]?.length ?? 0)));
  const rule = widths.map((width) => '-'.repeat(Math.max(3, width)));
  const text = [head, rule, ...body].map(
    (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`,
  );
  const failure = problem === undefined ? '' : `\nIt could not be measured: ${problem}\n`;
  return `## ${name}\n\n${about}\n\n${rows.length === 0 ? '' : text.join('')}${failure}`;
}

/** Of a case, and below it one for each peer. */
function lines({ name, unit, contenders, judgement }: RowResult): string[][] {
  const { isRatio, judged, interval, floor, verdict } = judgement;
  const [ours, ...others] = contenders;
  const reference = others.find((contender) => contender.name === 'reference');
  const peers = others.filter((contender) => contender !== reference);
  if (ours === undefined) return [];
  const ratio = `${judged.median.toFixed(2)} (${interval.low.toFixed(2)}–${interval.high.toFixed(2)})`;
  const own = `${isRatio ? withSpread(ours) : withInterval(judgement)} ${unit}`;
  return [
    [name, own, reference ? withSpread(reference) : '', isRatio ? ratio : '', `${floor} ${marks[verdict]}`],
    ...peers.map((peer) => {
      const speed = reference === undefined ? '' : (reference.median / peer.median).toFixed(2);
      return [`*${peer.name}*`, `${withSpread(peer)} ${unit}`, '', speed, ''];
    }),
  ];
}

const marks = { met: '✓', undecided: '≈', short: '✗' };

/** Three significant digits: 0.812, 14.3, 1,204. */
function number(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

const withSpread = ({ median, spread }: Summary) => `${number(median)} ±${(spread * 100).toFixed(0)}%`;

const withInterval = ({ judged, interval }: Judgement) =>
  `${number(judged.median)} (${number(interval.low)}–${number(interval.high)})`;
