import type { Profiler } from 'node:inspector';
import { microseconds } from '../cpu-time.ts';
import { sendLoad } from '../http/load.ts';
import { type PlannedRequest, requestBytes } from '../http/request-bytes.ts';
import type { ServerUnderTest } from '../http/server-under-test.ts';
import { selfTimes } from './self-time.ts';
import { type FunctionShare, heaviestFunctions, type LayerShare, layerShares } from './shares.ts';
import { SourceFinder } from './source-finder.ts';

/** One kind of request, to be looked into. The server was started with `profilerFlags`. */
export interface ProfilePlan {
  readonly name: string;
  readonly server: ServerUnderTest;
  readonly requests: readonly PlannedRequest[];
  /** How many requests, once to warm up and once to look. */
  readonly count: number;
}

export interface ProfileResult {
  readonly name: string;
  /** CPU time of the process for each request, in µs, with the profiler looking. */
  readonly cost: number;
  readonly layers: readonly LayerShare[];
  readonly functions: readonly FunctionShare[];
}

const shownFunctions = 8;

export const profilerFlags = ['--import', new URL('profiler.mjs', import.meta.url).href];

/** Looks where the server's time goes while it answers the requests. */
export async function takeProfile({ name, server, requests, count }: ProfilePlan): Promise<ProfileResult> {
  const load = { url: server.url, requests: requests.map(requestBytes), count };
  await sendLoad(load);
  await server.ask({ ask: 'profile' });
  const before = await server.usage();
  await sendLoad(load);
  const after = await server.usage();
  const profile = await server.ask<Profiler.Profile>({ ask: 'end profile' });
  const finder = new SourceFinder();
  const times = selfTimes(profile, (address, line, column) => finder.find(address, line, column));
  return {
    name,
    cost: (microseconds(after.cpu) - microseconds(before.cpu)) / count,
    layers: layerShares(times),
    functions: heaviestFunctions(times, shownFunctions),
  };
}
