import { sendLoad } from '../http/load.ts';
import { type PlannedRequest, requestBytes } from '../http/request-bytes.ts';
import type { ServerUnderTest } from '../http/server-under-test.ts';
import type { BenchContext, Suite } from '../suite.ts';
import { startWithBeans } from './beans-server.ts';
import { flat, linear } from './curve.ts';
import { openGrowth } from './open-growth.ts';

const sizes = [10, 100, 1000, 10_000];

export const beansGrowthSuite: Suite = {
  name: 'growth-beans',
  about:
    'What a request costs the service with so many more beans than its own. The list of all beans is as long as there are beans.',
  open: (context) =>
    openGrowth(
      {
        axis: { name: 'beans defined', unit: 'bean' },
        sizes,
        start: (size) => startWithAllMade(size, context),
        curves: [
          { name: 'clock page', target: flat, requests: () => [{ path: '/clock/time' }] },
          { name: 'one bean of 1 KB as JSON, all in turn', target: flat, requests: readsOf },
          {
            name: 'list of all beans as JSON',
            target: linear,
            requests: () => [{ path: '/jig/bean.json' }],
            // About the same work for all sizes.
            options: (size) => ({ count: Math.ceil(20_000 / (size + 90)) }),
          },
        ],
      },
      context,
    ),
};

const readsOf = (count: number): PlannedRequest[] =>
  Array.from({ length: count }, (_, number) => ({ path: `/jig/bean/bean${number}.json` }));

/** A bean is made when it is first read, which is not what is measured. As many reads for all sizes, or only some would be warm. */
async function startWithAllMade(count: number, context: BenchContext): Promise<ServerUnderTest> {
  const server = await startWithBeans({ count, bytes: 1000 }, context);
  await sendLoad({ url: server.url, requests: readsOf(count).map(requestBytes), count: Math.max(...sizes) });
  return server;
}
