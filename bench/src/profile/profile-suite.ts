import { startWithBeans } from '../growth/beans-server.ts';
import { beginSessions, visitedEnvironment, visitorCookies } from '../growth/visitors.ts';
import { ServerUnderTest } from '../http/server-under-test.ts';
import { startServers, stopServers } from '../http/start-servers.ts';
import type { BenchContext, Suite } from '../suite.ts';
import { profilerFlags as nodeFlags } from './take-profile.ts';

const bean = [{ path: '/jig/bean/bean0.json' }];

export const profileSuite: Suite = {
  name: 'profile',
  about:
    "Where the time of a request goes, by V8's own profiler looking 5,000 times a second: what the functions of each layer take themselves, in parts of all the time at work.",
  async open(context) {
    const cookies = visitorCookies(10);
    const visits = cookies.map((cookie) => ({ path: '/clock/time', headers: { cookie } }));
    const count = context.quick ? 1000 : 10_000;
    const kinds = [
      { name: 'clock page with a session', start: () => startClock(cookies, context), requests: visits, count },
      { name: 'bean of 1 KB as JSON', start: () => startWithBean(1000, context), requests: bean, count },
      { name: 'bean of 1 MB as JSON', start: () => startWithBean(1e6, context), requests: bean, count: count / 50 },
    ];
    const servers = await startServers(kinds, ({ start }) => start());
    return {
      profiles: servers.flatMap((server, index) => {
        const kind = kinds[index];
        return kind === undefined ? [] : [{ ...kind, server }];
      }),
      close: () => stopServers(servers),
    };
  },
};

async function startClock(cookies: readonly string[], context: BenchContext): Promise<ServerUnderTest> {
  const server = await ServerUnderTest.startService(context, { environment: visitedEnvironment, nodeFlags });
  await beginSessions(server, cookies);
  return server;
}

const startWithBean = (bytes: number, context: BenchContext) => startWithBeans({ count: 1, bytes }, context, nodeFlags);
