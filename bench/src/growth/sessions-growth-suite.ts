import type { PlannedRequest } from '../http/request-bytes.ts';
import { ServerUnderTest } from '../http/server-under-test.ts';
import type { BenchContext, Suite } from '../suite.ts';
import { flat } from './curve.ts';
import { openGrowth } from './open-growth.ts';
import { beginSessions, choiceOf, visitedEnvironment, visitorCookies } from './visitors.ts';

const environment = { ...visitedEnvironment, JIG_BEAN_INSPECTION_ENABLED: 'true' };
const sizes = [10, 100, 1000, 10_000, 100_000];

export const sessionsGrowthSuite: Suite = {
  name: 'growth-sessions',
  about:
    'What a request costs the service that holds so many sessions in memory. Either the same ten visitors come again and again, or all of them in turn: a visitor who was not there lately has the signature of the cookie checked.',
  open(context) {
    const cookies = visitorCookies(Math.max(...sizes));
    const fromAll = (request: (cookie: string) => PlannedRequest) => (size: number) =>
      cookies.slice(0, size).map(request);
    return openGrowth(
      {
        axis: { name: 'sessions held', unit: 'session' },
        sizes,
        start: (size) => startWithSessions(cookies.slice(0, size), context),
        curves: [
          { name: 'clock page, ten visitors', target: flat, requests: () => fromAll(pageOf)(10) },
          { name: 'clock page, all visitors in turn', target: flat, requests: fromAll(pageOf) },
          {
            name: 'form into the session, all visitors in turn',
            target: flat,
            // Each says something new: what is stored already need not be stored.
            requests: (size) =>
              ['Asia/Kolkata', 'Europe/Berlin'].flatMap((zone) => fromAll((cookie) => choiceOf(cookie, zone))(size)),
            options: () => ({ status: 302 }),
          },
          { name: 'bean of the session as JSON, all visitors in turn', target: flat, requests: fromAll(beanOf) },
        ],
      },
      context,
    );
  },
};

const pageOf = (cookie: string): PlannedRequest => ({ path: '/clock/time', headers: { cookie } });
const beanOf = (cookie: string): PlannedRequest => ({ path: '/jig/bean/session.json', headers: { cookie } });

/** A few visitors send thousands of requests too, or only the servers of many would be warm. */
async function startWithSessions(cookies: readonly string[], context: BenchContext): Promise<ServerUnderTest> {
  const server = await ServerUnderTest.startService(context, { environment });
  await beginSessions(server, cookies, Math.max(context.quick ? 4000 : 10_000, cookies.length));
  const { live } = (await (await fetch(new URL('/jig/bean/sessions.json', server.url))).json()) as { live: number };
  if (live !== cookies.length) throw new Error(`The service holds ${live} sessions, not ${cookies.length}.`);
  return server;
}
