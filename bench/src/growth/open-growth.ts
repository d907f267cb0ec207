import type { PlannedRequest } from '../http/request-bytes.ts';
import { type RequestCostOptions, requestCost } from '../http/request-cost.ts';
import type { ServerUnderTest } from '../http/server-under-test.ts';
import { startServers, stopServers } from '../http/start-servers.ts';
import type { BenchContext, OpenSuite } from '../suite.ts';
import type { Axis, GrowthTarget } from './curve.ts';

export interface GrowthPlan {
  readonly axis: Axis;
  /** The smallest first. */
  readonly sizes: readonly number[];
  /** Each size has a server of its own, so that all can be measured in turns. */
  readonly start: (size: number) => Promise<ServerUnderTest>;
  readonly curves: readonly CurvePlan[];
}

export interface CurvePlan {
  readonly name: string;
  readonly target: GrowthTarget;
  readonly requests: (size: number) => readonly PlannedRequest[];
  readonly options?: (size: number) => RequestCostOptions;
}

/** Starts the servers, and measures what requests cost them. */
export async function openGrowth(plan: GrowthPlan, context: BenchContext): Promise<OpenSuite> {
  const { axis, sizes, start, curves } = plan;
  const servers = await startServers(sizes, start);
  const pointsOf = ({ requests, options }: CurvePlan) =>
    servers.map((server, index) => {
      const size = sizes[index] ?? 0;
      // Many servers are measured many times: less for each of them keeps the whole short.
      const count = context.quick ? 400 : 1000;
      return { size, cost: requestCost(server, requests(size), context, { count, ...options?.(size) }) };
    });
  return {
    growth: {
      axis,
      curves: curves.map((curve) => ({
        name: curve.name,
        target: curve.target,
        unit: 'µs CPU',
        points: pointsOf(curve),
      })),
    },
    close: () => stopServers(servers),
  };
}
