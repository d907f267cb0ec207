import type { SuiteResult } from '../run-suite.ts';
import type { Chart } from './chart.ts';
import { growthCharts } from './growth-charts.ts';

/** What of a suite's results is drawn. */
export function suiteCharts({ name, growth }: SuiteResult): Chart[] {
  return growth === undefined ? [] : growthCharts(name, growth);
}
