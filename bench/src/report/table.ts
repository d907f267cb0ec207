import { stripVTControlCharacters, styleText } from 'node:util';
import type { SuiteResult } from '../run-suite.ts';
import { columns, rowsOf } from './rows.ts';

/** A suite's results for a person at a terminal. */
export function table({ name, about, cases, problem }: SuiteResult): string {
  const rows = [[...columns], ...cases.flatMap(rowsOf)];
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const heading = `${styleText('bold', name)}: ${about}`;
  const failure = problem === undefined ? [] : [styleText('red', `failed: ${problem}`)];
  const text = ['', heading, ...(cases.length > 0 ? lines.map(colour) : []), ...failure].join('\n');
  return process.stdout.isTTY ? text : stripVTControlCharacters(text);
}

function colour(line: string): string {
  if (line.includes('✗')) return styleText('red', line);
  return line.includes('★') ? styleText('green', line) : line;
}
