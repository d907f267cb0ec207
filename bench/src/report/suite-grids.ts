import type { SuiteResult } from '../run-suite.ts';
import { caseGrid } from './case-grid.ts';
import type { Grid } from './grid.ts';
import { growthGrid } from './growth-grid.ts';
import { matrixGrids } from './matrix-grid.ts';
import { profileGrids } from './profile-grids.ts';

/** What a suite has to show. */
export function suiteGrids({ cases, layout, growth, profiles }: SuiteResult): Grid[] {
  const caseGrids = layout === 'matrix' ? matrixGrids(cases) : [caseGrid(cases)];
  const growthGrids = growth === undefined ? [] : [growthGrid(growth)];
  return [...caseGrids, ...growthGrids, ...profileGrids(profiles)].filter(({ rows }) => rows.length > 0);
}
