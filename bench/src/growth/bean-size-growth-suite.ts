import { requestCost } from '../http/request-cost.ts';
import type { BenchContext, Suite } from '../suite.ts';
import { startWithBeans } from './beans-server.ts';
import { type Curve, linear } from './curve.ts';
import { startGrowing, stopGrowing } from './growing-servers.ts';

/** In MB. */
const sizes = [0.001, 0.01, 0.1, 1, 10, 100];

export const beanSizeGrowthSuite: Suite = {
  name: 'growth-bean-size',
  about:
    'What it costs the service to send a bean of so many bytes of JSON, a Map of small objects, as JSON and as XML, which is longer.',
  async open(context) {
    const servers = await startGrowing(sizes, (size) =>
      startWithBeans({ count: 1, bytes: Math.round(size * 1e6) }, context),
    );
    const curve = (format: 'json' | 'xml'): Curve => ({
      name: `a bean as ${format.toUpperCase()}`,
      unit: 'µs CPU',
      target: linear,
      points: servers.map(({ size, server }) => ({
        size,
        cost: requestCost(server, [{ path: `/jig/bean/bean0.${format}` }], context, {
          count: requestsOf(size, context),
        }),
      })),
    });
    return {
      growth: { axis: { name: 'size of the bean', unit: 'MB' }, curves: [curve('json'), curve('xml')] },
      close: () => stopGrowing(servers),
    };
  },
};

/** Enough for a steady number, and no more than some MB in all. */
function requestsOf(size: number, { quick }: BenchContext): number {
  const [megabytes, most] = quick ? [5, 400] : [40, 2000];
  return Math.min(most, Math.ceil(megabytes / size));
}
