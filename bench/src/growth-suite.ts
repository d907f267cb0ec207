import { randomBytes } from 'node:crypto';
import { Signer } from '@fastify/cookie';
import { type PlannedRequest, posted, requestBytes, sendLoad } from './http/load.ts';
import { applicationServer, ServerUnderTest } from './http/server-under-test.ts';
import { divided, type RequestCostOptions, requestCost } from './samples.ts';
import type { BenchContext, Contender, Suite } from './suite.ts';

const secret = 'the bench signs the cookies of its visitors itself';
const signer = new Signer(secret);
const few = 10;
const someBeans = 1000;
const manyBeans = 10_000;
const megabytes = 100;

/** Memory and its caches may add half of the cost between a small size and one that is a hundred or more times larger. */
const mostGrowth = 1.5;

export const growthSuite: Suite = {
  name: 'growth',
  about:
    'What a request costs the service with much in memory, against a service with little: sessions, beans, and a bean of 100 MB. Visitors and beans are asked for in turns. Where the work itself grows, the cost is that of one bean of the list, or of one MB of the bean.',
  async open(context) {
    // Signed here, because 100,000 cookies take a second here and much longer when the service sets them.
    const cookie = () => `jig-session=${signer.sign(randomBytes(32).toString('base64url'))}`;
    const cookies = Array.from({ length: 100_000 }, cookie);
    const fewCookies = cookies.slice(0, few);
    // One after the other: what prepares one keeps this process from listening to the others.
    const sessions = await startWithSessions(cookies, context);
    const fewSessions = await startWithSessions(fewCookies, context);
    const many = await startWithBeans(manyBeans, 1000, context);
    const some = await startWithBeans(someBeans, 1000, context);
    const little = await startWithBeans(few, 1000, context);
    const huge = await startWithBeans(1, megabytes * 1e6, context);
    const big = await startWithBeans(1, 1e6, context);
    const cost = (server: ServerUnderTest, requests: readonly PlannedRequest[], options: RequestCostOptions = {}) =>
      requestCost(server, requests, context, { count: context.quick ? 400 : 500, ...options });
    const row = (name: string, ours: Contender, reference: Contender) => {
      return { name, target: { cost: mostGrowth }, ours, reference, warmUps: 5 };
    };
    const byVisitors = (name: string, requests: (cookies: readonly string[]) => PlannedRequest[], status = 200) => {
      const of = (server: ServerUnderTest, from: readonly string[]) => cost(server, requests(from), { status });
      return row(`${name}, 100,000 sessions against 10`, of(sessions, cookies), of(fewSessions, fewCookies));
    };
    // About the same work for both.
    const each = (server: ServerUnderTest, path: string, size: number, work: number) =>
      divided(cost(server, [{ path }], { count: Math.ceil(work / size) }), size);
    const list = (server: ServerUnderTest, size: number) => each(server, '/jig/bean.json', size, 20_000);
    const ofTen = gets('/clock/time')(fewCookies);
    const page = [{ path: '/clock/time' }];
    return [
      row('clock page of ten visitors, 100,000 sessions against 10', cost(sessions, ofTen), cost(fewSessions, ofTen)),
      byVisitors('clock page of all visitors', gets('/clock/time')),
      byVisitors('form into the session of all visitors', selections, 302),
      byVisitors('bean of the session of all visitors as JSON', gets('/jig/bean/session.json')),
      row('clock page, 10,000 beans against 10', cost(many, page), cost(little, page)),
      row('one bean of 1 KB, 10,000 beans against 10', cost(many, beans(manyBeans)), cost(little, beans(few))),
      row('list of all beans, each of 10,000 against each of 1,000', list(many, manyBeans), list(some, someBeans)),
      ...['json', 'xml'].map((format) => {
        const path = `/jig/bean/bean0.${format}`;
        const [ours, reference] = [each(huge, path, megabytes, 10), each(big, path, 1, 10)];
        // The largest document takes a second.
        return { ...row(`a bean as ${format}, each of 100 MB against 1 MB`, ours, reference), rounds: 3, warmUps: 1 };
      }),
      row('clock page, beside a bean of 100 MB against 1 MB', cost(huge, page), cost(big, page)),
    ];
  },
};

const gets = (path: string) => (cookies: readonly string[]) => cookies.map((cookie) => ({ path, headers: { cookie } }));

/** Each visitor's form, in two zones, because an unchanged attribute is not stored again. */
const selections = (cookies: readonly string[]): PlannedRequest[] =>
  ['Asia%2FKolkata', 'Europe%2FBerlin'].flatMap((zone) =>
    cookies.map((cookie) => posted('/clock/time', `languageTag=de-DE&zoneID=${zone}`, { cookie })),
  );

const beans = (count: number): PlannedRequest[] =>
  Array.from({ length: count }, (_, number) => ({ path: `/jig/bean/bean${number}.json` }));

/** Each visitor sends the form, which begins the session; a few visitors also send thousands, so that both servers are warm. */
async function startWithSessions(cookies: readonly string[], context: BenchContext): Promise<ServerUnderTest> {
  const environment = {
    JIG_SESSIONS_SECRET: secret,
    JIG_SESSIONS_MAXIMUM_IN_MEMORY: '1000000',
    JIG_SESSIONS_MAXIMUM_MEMORY: '1024',
    JIG_BEAN_INSPECTION_ENABLED: 'true',
  };
  const server = await ServerUnderTest.startService(context, { environment });
  const requests = selections(cookies).map(requestBytes);
  await sendLoad({ url: server.url, requests, count: Math.max(4000, cookies.length), connections: 64, status: 302 });
  const { live } = (await (await fetch(new URL('/jig/bean/sessions.json', server.url))).json()) as { live: number };
  if (live !== cookies.length) throw new Error(`The service holds ${live} sessions, not ${cookies.length}.`);
  return server;
}

/** Reads all beans, because the first read creates a bean; a few are read thousands of times, so that all servers are warm. */
async function startWithBeans(count: number, bytes: number, context: BenchContext): Promise<ServerUnderTest> {
  const server = await ServerUnderTest.startService(context, {
    module: applicationServer,
    environment: { JIG_BEAN_INSPECTION_ENABLED: 'true', BENCH_BEANS: String(count), BENCH_BEAN_BYTES: String(bytes) },
  });
  const requests = beans(count).map(requestBytes);
  await sendLoad({ url: server.url, requests, count: count === 1 ? 1 : Math.max(4000, count) });
  return server;
}
