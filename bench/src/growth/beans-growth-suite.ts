import { sendLoad } from '../http/load.ts';
import { type PlannedRequest, requestBytes } from '../http/request-bytes.ts';
import { type RequestCostOptions, requestCost } from '../http/request-cost.ts';
import type { Suite } from '../suite.ts';
import { startWithBeans } from './beans-server.ts';
import { type Curve, flat, type GrowthTarget, linear } from './curve.ts';
import { startGrowing, stopGrowing } from './growing-servers.ts';

const sizes = [10, 100, 1000, 10_000];
const bytesOfEach = 1000;

export const beansGrowthSuite: Suite = {
  name: 'growth-beans',
  about:
    'What a request costs the service with so many more beans than its own. The list of all beans is as long as there are beans.',
  async open(context) {
    const servers = await startGrowing(sizes, async (count) => {
      const server = await startWithBeans({ count, bytes: bytesOfEach }, context);
      // A bean is made when it is first read, which is not what is measured; as many reads for all, or only some would be warm.
      await sendLoad({ url: server.url, requests: readsOf(count).map(requestBytes), count: Math.max(...sizes) });
      return server;
    });
    const curve = (
      name: string,
      target: GrowthTarget,
      requests: (size: number) => readonly PlannedRequest[],
      options: (size: number) => RequestCostOptions = () => ({}),
    ): Curve => ({
      name,
      unit: 'µs CPU',
      target,
      points: servers.map(({ size, server }) => ({
        size,
        cost: requestCost(server, requests(size), context, options(size)),
      })),
    });
    return {
      growth: {
        axis: { name: 'beans defined', unit: 'bean' },
        curves: [
          curve('clock page', flat, () => [{ path: '/clock/time' }]),
          curve('one bean of 1 KB as JSON, all in turn', flat, readsOf),
          curve(
            'list of all beans as JSON',
            linear,
            () => [{ path: '/jig/bean.json' }],
            (size) => ({ count: Math.ceil(20_000 / (size + 90)) }),
          ),
        ],
      },
      close: () => stopGrowing(servers),
    };
  },
};

const readsOf = (count: number): PlannedRequest[] =>
  Array.from({ length: count }, (_, number) => ({ path: `/jig/bean/bean${number}.json` }));
