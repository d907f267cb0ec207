import type { PlannedRequest } from '../http/request-bytes.ts';
import { requestCost } from '../http/request-cost.ts';
import { ServerUnderTest } from '../http/server-under-test.ts';
import type { BenchContext, Suite } from '../suite.ts';
import { type Curve, flat } from './curve.ts';
import { type GrowingServer, startGrowing, stopGrowing } from './growing-servers.ts';
import { beginSessions, choiceOf, visitedEnvironment, visitorCookies } from './visitors.ts';

const sizes = [10, 100, 1000, 10_000, 100_000];
const environment = { ...visitedEnvironment, JIG_BEAN_INSPECTION_ENABLED: 'true' };

export const sessionsGrowthSuite: Suite = {
  name: 'growth-sessions',
  about:
    'What a request costs the service that holds so many sessions in memory. Either the same ten visitors come again and again, or all of them in turn: a visitor who was not there lately has the signature of the cookie checked.',
  async open(context) {
    const cookies = new Map(sizes.map((size) => [size, visitorCookies(size)]));
    const servers = await startGrowing(sizes, async (size) => {
      const server = await ServerUnderTest.startService(context, { environment });
      await beginAll(server, cookies.get(size) ?? [], context);
      return server;
    });
    const curve = (name: string, request: (cookie: string) => PlannedRequest, visitors?: number): Curve => ({
      name,
      unit: 'µs CPU',
      target: flat,
      points: servers.map(({ size, server }: GrowingServer) => {
        const requests = (cookies.get(size) ?? []).slice(0, visitors).map(request);
        const status = request === choiceOf ? 302 : 200;
        return { size, cost: requestCost(server, requests, context, { status }) };
      }),
    });
    return {
      growth: {
        axis: { name: 'sessions held', unit: 'session' },
        curves: [
          curve('clock page, ten visitors', pageOf, 10),
          curve('clock page, all visitors in turn', pageOf),
          curve('form into the session, all visitors in turn', choiceOf),
          curve('bean of the session as JSON, all visitors in turn', beanOf),
        ],
      },
      close: () => stopGrowing(servers),
    };
  },
};

const pageOf = (cookie: string): PlannedRequest => ({ path: '/clock/time', headers: { cookie } });
const beanOf = (cookie: string): PlannedRequest => ({ path: '/jig/bean/session.json', headers: { cookie } });

/** Begins the sessions. A few visitors send some thousand requests too, or only the servers of many would be warm. */
async function beginAll(server: ServerUnderTest, cookies: readonly string[], { quick }: BenchContext): Promise<void> {
  await beginSessions(server, cookies, Math.max(quick ? 1000 : 4000, cookies.length));
  const { live } = (await (await fetch(new URL('/jig/bean/sessions.json', server.url))).json()) as { live: number };
  if (live !== cookies.length) throw new Error(`The service holds ${live} sessions, not ${cookies.length}.`);
}
