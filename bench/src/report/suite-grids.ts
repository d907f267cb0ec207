import type { SuiteResult } from '../run-suite.ts';
import { caseGrid } from './case-grid.ts';
import type { Grid } from './grid.ts';
import { matrixGrids } from './matrix-grid.ts';

/** What a suite has to show. */
export function suiteGrids({ cases, layout }: SuiteResult): Grid[] {
  if (cases.length === 0) return [];
  return layout === 'matrix' ? matrixGrids(cases) : [caseGrid(cases)];
}
