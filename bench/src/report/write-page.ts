import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawChart } from '../plot/draw-chart.ts';
import { suiteCharts } from '../plot/suite-charts.ts';
import type { SuiteResult } from '../run-suite.ts';
import type { Machine } from './machine.ts';
import { chartsFolder, markdown } from './markdown.ts';

/** Writes `benchmarks.md` and the plots that it shows. */
export function writePage(folder: string, machine: Machine, results: readonly SuiteResult[]): void {
  mkdirSync(join(folder, chartsFolder), { recursive: true });
  writeFileSync(join(folder, 'benchmarks.md'), markdown(machine, results));
  for (const chart of results.flatMap(suiteCharts)) {
    writeFileSync(join(folder, chartsFolder, `${chart.name}.svg`), drawChart(chart));
  }
}
