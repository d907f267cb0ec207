import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runInThisContext } from 'node:vm';
import { type Load, type PlannedRequest, requestBytes, sendLoad } from './http/load.ts';
import type { ServerUnderTest } from './http/server-under-test.ts';
import type { BenchContext, Case, Contender } from './suite.ts';

/** The CPU time of a function in this process, in µs, including garbage collection and compilation; a sample takes at least the `minimum`. */
export function cpuTime(work: () => unknown, { quick }: BenchContext, minimum = quick ? 40_000 : 80_000): Contender {
  // A new loop for each contender: V8 optimizes a loop for the first function that it calls, and a second one would be slower.
  const repeat = runInThisContext(`(async (work, turns) => {
    for (let turn = 0; turn < turns; turn += 1) {
      const outcome = work();
      if (outcome instanceof Promise) await outcome;
    }
  })`) as (work: () => unknown, turns: number) => Promise<void>;
  let batch = 1;
  return async () => {
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
  };
}

/** Samples of 1,000 requests that a new server needs until V8 has compiled what they use: from then on, a request costs the same. */
export const samplesUntilWarm = 9;

/** `count`: requests in one sample, by default 1,000, or 400 when quick. */
export type RequestCostOptions = Partial<Pick<Load, 'status' | 'connections' | 'count'>>;

/**
 * The CPU time of the processes of one or several servers, per request under load, in µs; servers share the load.
 * Each sample continues with the request after the last one sent, so that all of them are sent however many there are.
 */
export function requestCost(
  servers: ServerUnderTest | readonly ServerUnderTest[],
  planned: readonly PlannedRequest[],
  { quick }: BenchContext,
  { count = quick ? 400 : 1000, connections = 16, ...options }: RequestCostOptions = {},
): Contender {
  const all = [servers].flat();
  const share = { count: count / all.length, connections: connections / all.length, ...options };
  const requests = planned.map(requestBytes);
  const used = async () => {
    const usages = await Promise.all(all.map((server) => server.usage()));
    return usages.reduce((sum, { cpu }) => sum + microseconds(cpu), 0);
  };
  let next = 0;
  return async () => {
    const inTurn = [...requests.slice(next), ...requests.slice(0, next)];
    next = (next + count) % requests.length;
    const before = await used();
    await Promise.all(all.map(({ url }) => sendLoad({ url, requests: inTurn, ...share })));
    return ((await used()) - before) / count;
  };
}

/** What a server takes of a core while nobody sends it anything, in percent. */
export async function shareOfCore(server: ServerUnderTest, milliseconds: number): Promise<number> {
  const [before, start] = [await server.usage(), performance.now()];
  await pause(milliseconds);
  const [after, end] = [await server.usage(), performance.now()];
  return (microseconds(after.cpu) - microseconds(before.cpu)) / (end - start) / 10;
}

/** What a script prints that has a process of its own. */
export async function printedBy(script: URL, ...args: string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, ['--expose-gc', fileURLToPath(script), ...args])).stdout;
}

/** A row without a reference: what the samples themselves may be at most. */
export function atMost(most: number, unit: string, name: string, ours: Contender): Case {
  return { name, unit, target: { atMost: most }, ours };
}

/** In another unit, or for each of many. */
export function divided(contender: Contender, by: number): Contender {
  return async () => (await contender()) / by;
}

/** Several rows from the same samples: the row that is first in a round measures, the others take what it has found. */
export function shareRounds<Measured>(measure: () => Promise<Measured>) {
  const rounds: Promise<Measured>[] = [];
  return (pick: (measured: Measured) => number): Contender => {
    let round = 0;
    return async () => {
      const measured = rounds[round] ?? measure();
      rounds[round] = measured;
      round += 1;
      return pick(await measured);
    };
  };
}

export function microseconds({ user, system }: NodeJS.CpuUsage): number {
  return user + system;
}
