import { microseconds } from '../cpu-time.ts';
import type { BenchContext, Contender } from '../suite.ts';
import { sendLoad } from './load.ts';
import { type PlannedRequest, requestBytes } from './request-bytes.ts';
import type { ServerUnderTest } from './server-under-test.ts';

export interface RequestCostOptions {
  readonly status?: number;
  readonly connections?: number;
  /** In one sample; 2,000 otherwise, 400 when quick. */
  readonly count?: number;
}

/**
 * The CPU time, in µs, that the server's process takes for one request under load.
 * Each sample goes on with the requests where the last one stopped, so that all have their turn, however many there are.
 */
export function requestCost(
  server: ServerUnderTest,
  planned: readonly PlannedRequest[],
  context: BenchContext,
  options: RequestCostOptions = {},
): Contender {
  const requests = planned.map(requestBytes);
  const count = options.count ?? (context.quick ? 400 : 2000);
  let next = 0;
  return {
    async sample() {
      const inTurn = [...requests.slice(next), ...requests.slice(0, next)];
      next = (next + count) % requests.length;
      const before = await server.usage();
      await sendLoad({ url: server.url, requests: inTurn, ...options, count });
      const after = await server.usage();
      return (microseconds(after.cpu) - microseconds(before.cpu)) / count;
    },
  };
}
