import { stripVTControlCharacters, styleText } from 'node:util';
import type { SuiteResult } from '../run-suites.ts';
import { type Grid, suiteGrids } from './suite-grids.ts';

/** A suite's results as text with aligned columns, in colour on a terminal. */
export function terminalTable(result: SuiteResult): string {
  const heading = `${styleText('bold', result.name)} (${Math.round(result.seconds)} s): ${result.about}`;
  const failure = result.problem === undefined ? [] : [styleText('red', `failed: ${result.problem}`)];
  const text = ['', heading, ...suiteGrids(result).map(gridText), ...failure].join('\n');
  return process.stdout.isTTY ? text : stripVTControlCharacters(text);
}

function gridText({ columns, rows }: Grid): string {
  const all = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const lines = all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return lines.map((line) => colour(line.trimEnd())).join('\n');
}

function colour(line: string): string {
  if (line.includes('✗')) return styleText('red', line);
  return line.includes('★') ? styleText('green', line) : line;
}
