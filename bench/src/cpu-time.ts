import { runInThisContext } from 'node:vm';
import { type PlannedRequest, requestBytes, sendLoad } from './http/load.ts';
import type { ServerUnderTest } from './http/server-under-test.ts';
import type { BenchContext, Contender } from './suite.ts';

/** The CPU time of a function in this process, in µs, including garbage collection and compilation; a sample takes at least the `minimum`. */
export function cpuTime(work: () => unknown, { quick }: BenchContext, minimum = quick ? 40_000 : 80_000): Contender {
  const repeat = compileLoop();
  let batch = 1;
  return {
    async sample() {
      const start = process.cpuUsage();
      let done = 0;
      for (;;) {
        await repeat(work, batch);
        done += batch;
        const spent = microseconds(process.cpuUsage(start));
        if (spent >= minimum) return spent / done;
        // Reading the CPU time is a system call, which must stay rare compared with the work.
        if (spent < minimum / 10) batch *= 2;
      }
    },
  };
}

type Loop = (work: () => unknown, turns: number) => Promise<void>;

/** A new loop for each contender: V8 optimizes a loop for the first function that it calls, and a second one would be slower. */
function compileLoop(): Loop {
  return runInThisContext(`(async (work, turns) => {
    for (let turn = 0; turn < turns; turn += 1) {
      const outcome = work();
      if (outcome instanceof Promise) await outcome;
    }
  })`) as Loop;
}

/** Samples of 1,000 requests that a new server needs until V8 has compiled what they use: from then on, a request costs the same. */
export const samplesUntilWarm = 9;

export interface RequestCostOptions {
  /** The expected status. Default: 200. */
  readonly status?: number;
  readonly connections?: number;
  /** Requests in one sample. Default: 1,000, or 400 when quick. */
  readonly count?: number;
}

/**
 * The CPU time of the server's process per request under load, in µs.
 * Each sample continues with the request after the last one sent, so that all of them are sent however many there are.
 */
export function requestCost(
  server: ServerUnderTest,
  planned: readonly PlannedRequest[],
  context: BenchContext,
  options: RequestCostOptions = {},
): Contender {
  const measure = requestCosts(server, planned, context, options);
  return { sample: async () => (await measure()).cpu };
}

/** What a request costs, in µs. */
export interface RequestCosts {
  readonly cpu: number;
  /** By the clock on the wall, divided by the number of requests. */
  readonly elapsed: number;
}

/** For rows that share their rounds: CPU time and elapsed time of the same requests. */
export function requestCosts(
  server: ServerUnderTest,
  planned: readonly PlannedRequest[],
  context: BenchContext,
  options: RequestCostOptions = {},
): () => Promise<RequestCosts> {
  const requests = planned.map(requestBytes);
  const count = options.count ?? (context.quick ? 400 : 1000);
  let next = 0;
  return async () => {
    const inTurn = [...requests.slice(next), ...requests.slice(0, next)];
    next = (next + count) % requests.length;
    const before = await server.usage();
    const seconds = await sendLoad({ url: server.url, requests: inTurn, ...options, count });
    const after = await server.usage();
    return { cpu: (microseconds(after.cpu) - microseconds(before.cpu)) / count, elapsed: (seconds * 1e6) / count };
  };
}

export function microseconds({ user, system }: NodeJS.CpuUsage): number {
  return user + system;
}
