import { expect, it } from 'vitest';
import { builtInViews } from './built-in-views.ts';
import { metrics } from './metrics.ts';

it('the table of metrics has all metrics of built-in views', () => {
  const named = builtInViews.flatMap(({ readings = {} }) =>
    Object.values(readings).flatMap(({ metric = [], ofMetric = [] }) => [metric, ofMetric].flat()),
  );
  expect(named).toContain('db.client.connection.count');
  expect(named.filter((name) => !Object.hasOwn(metrics, name))).toEqual([]);
});
