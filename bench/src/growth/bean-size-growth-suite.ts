import type { BenchContext, Suite } from '../suite.ts';
import { startWithBeans } from './beans-server.ts';
import { flat, linear } from './curve.ts';
import { type CurvePlan, openGrowth } from './open-growth.ts';

export const beanSizeGrowthSuite: Suite = {
  name: 'growth-bean-size',
  about:
    'What it costs the service to send a bean of so many bytes of JSON, a Map of small objects, as JSON and as XML, which is longer; and a clock page beside it.',
  open: (context) =>
    openGrowth(
      {
        axis: { name: 'size of the bean', unit: 'MB' },
        sizes: [0.001, 0.01, 0.1, 1, 10, 100],
        start: (size) => startWithBeans({ count: 1, bytes: Math.round(size * 1e6) }, context),
        curves: [
          beanCurve('json', context),
          beanCurve('xml', context),
          { name: 'clock page', target: flat, requests: () => [{ path: '/clock/time' }] },
        ],
      },
      context,
    ),
};

function beanCurve(format: 'json' | 'xml', context: BenchContext): CurvePlan {
  return {
    name: `the bean as ${format.toUpperCase()}`,
    target: linear,
    requests: () => [{ path: `/jig/bean/bean0.${format}` }],
    options: (size) => ({ count: requestsOf(size, context) }),
  };
}

/** Enough for a steady number, and no more than some MB in all. */
function requestsOf(size: number, { quick }: BenchContext): number {
  const [megabytes, most] = quick ? [5, 400] : [30, 1000];
  return Math.min(most, Math.ceil(megabytes / size));
}
