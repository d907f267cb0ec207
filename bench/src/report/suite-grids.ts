import type { SuiteResult } from '../run-suite.ts';
import { caseGrid } from './case-grid.ts';
import type { Grid } from './grid.ts';
import { growthGrid } from './growth-grid.ts';
import { matrixGrids } from './matrix-grid.ts';

/** What a suite has to show. */
export function suiteGrids({ cases, layout, growth }: SuiteResult): Grid[] {
  const caseGrids = layout === 'matrix' ? matrixGrids(cases) : [caseGrid(cases)];
  return [...caseGrids, ...(growth === undefined ? [] : [growthGrid(growth)])].filter(({ rows }) => rows.length > 0);
}
