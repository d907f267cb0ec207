import { type RequestCostOptions, requestCost } from './cpu-time.ts';
import { type PlannedRequest, requestBytes, sendLoad } from './http/load.ts';
import {
  beginSessions,
  selectionRequest,
  startWithBeans,
  visitorCookies,
  visitorSettings,
} from './http/populated-service.ts';
import { ServerUnderTest, startServers, stopServers } from './http/server-under-test.ts';
import type { Axis, BenchContext, GrowthTarget, OpenSuite, Suite } from './suite.ts';

interface GrowthPlan {
  readonly axis: Axis;
  /** The smallest first. */
  readonly sizes: readonly number[];
  /** Starts a server for each size, so that all sizes can be measured in turns. */
  readonly start: (size: number) => Promise<ServerUnderTest>;
  readonly curves: readonly CurvePlan[];
}

interface CurvePlan {
  readonly name: string;
  readonly target: GrowthTarget;
  readonly requests: (size: number) => readonly PlannedRequest[];
  readonly options?: (size: number) => RequestCostOptions;
  readonly rounds?: number;
  /** Default: 5, enough for code that no curve before it has used, on servers that have answered thousands of requests. */
  readonly warmUps?: number;
}

/** Memory and its caches may add half of the cost between the smallest size and one thousands of times larger. */
const maximumGrowth = 1.5;

const flat: GrowthTarget = { flat: maximumGrowth };
const linear: GrowthTarget = { linear: maximumGrowth };

const clockPageCurve: CurvePlan = { name: 'clock page', target: flat, requests: () => [{ path: '/clock/time' }] };

const sessionCounts = [10, 100, 1000, 10_000, 100_000];

export const sessionsGrowthSuite: Suite = {
  name: 'growth-sessions',
  about:
    'What a request costs the service by the number of sessions in memory. Requests come from the same ten visitors, or from all visitors in turns. When a visitor was not seen recently, the signature of the cookie is checked.',
  open(context) {
    const cookies = visitorCookies(Math.max(...sessionCounts));
    const fromAll = (request: (cookie: string) => PlannedRequest) => (size: number) =>
      cookies.slice(0, size).map(request);
    return openGrowth(
      {
        axis: { name: 'sessions held', unit: 'session' },
        sizes: sessionCounts,
        start: (size) => startWithSessions(cookies.slice(0, size), context),
        curves: [
          { name: 'clock page, ten visitors', target: flat, requests: () => fromAll(pageRequest)(10) },
          { name: 'clock page, all visitors in turn', target: flat, requests: fromAll(pageRequest), warmUps: 1 },
          {
            name: 'form into the session, all visitors in turn',
            target: flat,
            // Two zones in turns, because an unchanged attribute is not stored again.
            requests: (size) =>
              ['Asia/Kolkata', 'Europe/Berlin'].flatMap((zone) =>
                fromAll((cookie) => selectionRequest(cookie, zone))(size),
              ),
            options: () => ({ status: 302 }),
            warmUps: 1,
          },
          {
            name: 'bean of the session as JSON, all visitors in turn',
            target: flat,
            requests: fromAll(sessionBeanRequest),
          },
        ],
      },
      context,
    );
  },
};

const pageRequest = (cookie: string): PlannedRequest => ({ path: '/clock/time', headers: { cookie } });
const sessionBeanRequest = (cookie: string): PlannedRequest => ({
  path: '/jig/bean/session.json',
  headers: { cookie },
});

/** A few visitors also send thousands of requests, so that all servers are warm. */
async function startWithSessions(cookies: readonly string[], context: BenchContext): Promise<ServerUnderTest> {
  const environment = { ...visitorSettings, JIG_BEAN_INSPECTION_ENABLED: 'true' };
  const server = await ServerUnderTest.startService(context, { environment });
  await beginSessions(server, cookies, Math.max(4000, cookies.length));
  const { live } = (await (await fetch(new URL('/jig/bean/sessions.json', server.url))).json()) as { live: number };
  if (live !== cookies.length) throw new Error(`The service holds ${live} sessions, not ${cookies.length}.`);
  return server;
}

const beanCounts = [10, 100, 1000, 10_000];

export const beansGrowthSuite: Suite = {
  name: 'growth-beans',
  about:
    'What a request costs the service when beans are added to its own. The list of all beans grows with their number.',
  open: (context) =>
    openGrowth(
      {
        axis: { name: 'beans defined', unit: 'bean' },
        sizes: beanCounts,
        start: (count) => startWithCreatedBeans(count, context),
        curves: [
          clockPageCurve,
          { name: 'one bean of 1 KB as JSON, all in turn', target: flat, requests: beanRequests, warmUps: 1 },
          {
            name: 'list of all beans as JSON',
            target: linear,
            requests: () => [{ path: '/jig/bean.json' }],
            // About the same work for all sizes.
            options: (count) => ({ count: Math.ceil(20_000 / (count + 90)) }),
            warmUps: 1,
          },
        ],
      },
      context,
    ),
};

const beanRequests = (count: number): PlannedRequest[] =>
  Array.from({ length: count }, (_, number) => ({ path: `/jig/bean/bean${number}.json` }));

/** Reads all beans, because the first read creates a bean. A few beans are read thousands of times, so that all servers are warm. */
async function startWithCreatedBeans(count: number, context: BenchContext): Promise<ServerUnderTest> {
  const server = await startWithBeans({ count, bytes: 1000 }, context);
  await sendLoad({ url: server.url, requests: beanRequests(count).map(requestBytes), count: Math.max(4000, count) });
  return server;
}

export const beanSizeGrowthSuite: Suite = {
  name: 'growth-bean-size',
  about:
    'What it costs the service to send a bean of the given size in JSON, a Map of small objects, as JSON and as XML, which is longer; and a clock page beside it.',
  open: (context) =>
    openGrowth(
      {
        axis: { name: 'size of the bean', unit: 'MB' },
        sizes: [0.001, 0.01, 0.1, 1, 10, 100],
        start: (megabytes) => startWithBeans({ count: 1, bytes: Math.round(megabytes * 1e6) }, context),
        curves: [beanCurve('json', context), beanCurve('xml', context), clockPageCurve],
      },
      context,
    ),
};

function beanCurve(format: 'json' | 'xml', { quick }: BenchContext): CurvePlan {
  // Enough requests for a steady number, and no more than some MB in all.
  const [megabytes, maximum] = quick ? [5, 400] : [10, 500];
  return {
    name: `the bean as ${format.toUpperCase()}`,
    target: linear,
    requests: () => [{ path: `/jig/bean/bean0.${format}` }],
    options: (size) => ({ count: Math.min(maximum, Math.ceil(megabytes / size)) }),
    // The largest document takes a second.
    rounds: 3,
    warmUps: 1,
  };
}

/** Starts the servers; each curve measures the cost of a request at each size. */
async function openGrowth(plan: GrowthPlan, context: BenchContext): Promise<OpenSuite> {
  const { axis, sizes, start, curves } = plan;
  const servers = await startServers(sizes, start);
  const pointsOf = ({ requests, options }: CurvePlan) =>
    servers.map((server, index) => {
      const size = sizes[index] ?? 0;
      // Many servers are measured many times, so each sample is short.
      const count = context.quick ? 400 : 500;
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
        warmUps: curve.warmUps ?? 5,
        ...(curve.rounds === undefined ? {} : { rounds: curve.rounds }),
      })),
    },
    close: () => stopServers(servers),
  };
}
