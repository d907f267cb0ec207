import { existsSync, readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { SourceMap } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { microseconds } from '../cpu-time.ts';
import { type PlannedRequest, requestBytes, sendLoad } from '../http/load.ts';
import { beginSessions, startWithBeans, visitorCookies, visitorSettings } from '../http/populated-service.ts';
import { ServerUnderTest, startServers, stopServers } from '../http/server-under-test.ts';
import type { BenchContext, ProfileShares, Suite } from '../suite.ts';
import { heaviestFunctions, layerShares, selfTimes } from './layer-shares.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const nodeFlags = ['--import', new URL('profiler.mjs', import.meta.url).href];
const shownFunctions = 8;
const beanRequests = [{ path: '/jig/bean/bean0.json' }];

export const profileSuite: Suite = {
  name: 'profile',
  about:
    "Where the time of a request goes, by V8's CPU profiler with 5,000 samples a second: the self time of the functions of each layer, as a share of all samples that are not idle.",
  async open(context) {
    const cookies = visitorCookies(10);
    const visits = cookies.map((cookie) => ({ path: '/clock/time', headers: { cookie } }));
    const count = context.quick ? 1000 : 6000;
    const kinds = [
      { name: 'clock page with a session', start: () => startClock(cookies, context), requests: visits, count },
      { name: 'bean of 1 KB as JSON', start: () => startWithBean(1000, context), requests: beanRequests, count },
      {
        name: 'bean of 1 MB as JSON',
        start: () => startWithBean(1e6, context),
        requests: beanRequests,
        count: count / 50,
      },
    ];
    const servers = await startServers(kinds, ({ start }) => start());
    return {
      profiles: servers.flatMap((server, index) => {
        const kind = kinds[index];
        return kind === undefined
          ? []
          : [{ name: kind.name, take: () => takeProfile(server, kind.requests, kind.count) }];
      }),
      close: () => stopServers(servers),
    };
  },
};

async function startClock(cookies: readonly string[], context: BenchContext): Promise<ServerUnderTest> {
  const server = await ServerUnderTest.startService(context, { environment: visitorSettings, nodeFlags });
  await beginSessions(server, cookies);
  return server;
}

const startWithBean = (bytes: number, context: BenchContext) => startWithBeans({ count: 1, bytes }, context, nodeFlags);

/** Sends the requests twice: to warm the server up, and to profile it. */
async function takeProfile(
  server: ServerUnderTest,
  requests: readonly PlannedRequest[],
  count: number,
): Promise<ProfileShares> {
  const load = { url: server.url, requests: requests.map(requestBytes), count };
  await sendLoad(load);
  await server.ask({ ask: 'profile' });
  const before = await server.usage();
  await sendLoad(load);
  const after = await server.usage();
  const profile = await server.ask<Profiler.Profile>({ ask: 'end profile' });
  const sources = new OriginalSources();
  const times = selfTimes(profile, (url, line, column) => sources.find(url, line, column));
  return {
    cost: (microseconds(after.cpu) - microseconds(before.cpu)) / count,
    layers: layerShares(times),
    functions: heaviestFunctions(times, shownFunctions),
  };
}

/** Finds the source file of a function in a bundle by the bundle's source map. */
class OriginalSources {
  readonly #maps = new Map<string, SourceMap | undefined>();

  /** The path from the root of the repository; modules of Node keep their names. Lines and columns count from 0. */
  find(url: string, line: number, column: number): string {
    if (url.startsWith('node:')) return url;
    const file = url.startsWith('file:') ? fileURLToPath(url) : url;
    const entry = this.#mapOf(file)?.findEntry(line, column);
    const source =
      entry !== undefined && 'originalSource' in entry ? resolve(dirname(file), entry.originalSource) : file;
    return relative(root, source);
  }

  #mapOf(file: string): SourceMap | undefined {
    if (!this.#maps.has(file)) {
      const map = `${file}.map`;
      this.#maps.set(file, existsSync(map) ? new SourceMap(JSON.parse(readFileSync(map, 'utf8'))) : undefined);
    }
    return this.#maps.get(file);
  }
}
