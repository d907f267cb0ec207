import { requestCost, samplesUntilWarm } from '../cpu-time.ts';
import type { PlannedRequest } from '../http/load.ts';
import { ServerUnderTest } from '../http/server-under-test.ts';
import type { BenchContext, Case, Suite } from '../suite.ts';

const form: PlannedRequest = {
  method: 'POST',
  path: '/',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: 'languageTag=de-DE&zoneID=Europe%2FBerlin',
};

const otherForm: PlannedRequest = { ...form, body: 'languageTag=ja-JP&zoneID=Asia%2FKolkata' };

export const sessionsSuite: Suite = {
  name: 'sessions',
  about:
    'A page of 135 KB that reads the session, and a form stored in it, with `@jig/sessions` on plain Fastify, against raw `node:http` sending the page or two bytes; beside plain Fastify without sessions and with `@fastify/session`.',
  async open(context) {
    const servers = await Promise.all([
      start('@jig/sessions'),
      ServerUnderTest.startRaw(context, { body: 'x'.repeat(135 * 1024) }),
      ServerUnderTest.startRaw(context, { body: 'ok' }),
      start('none'),
      start('@fastify/session'),
    ]);
    const [ours, page, tiny, none, fastifySession] = servers;
    const visitors = {
      ours: await beginSession(ours),
      none: { server: none, headers: {} },
      fastifySession: await beginSession(fastifySession),
    };
    const pageRequests = ({ headers }: Visitor) => [{ path: '/', headers }];
    // Two forms in turns, because an unchanged attribute is not stored again.
    const formRequests = ({ headers }: Visitor) =>
      [otherForm, form].map((each) => ({ ...each, headers: { ...each.headers, ...headers } }));
    return {
      cases: [
        compare('page with a session', 0.7, page, visitors, context, pageRequests),
        compare('form that begins a session', 0.6, tiny, visitors, context, () => [form]),
        // Warm from the row before.
        { ...compare('form into a session', 0.6, tiny, visitors, context, formRequests), warmUps: 1 },
      ],
      close: async () => {
        await Promise.all(servers.map((server) => server.stop()));
      },
    };
  },
};

interface Visitor {
  readonly server: ServerUnderTest;
  /** With the session's cookie. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Visitors {
  readonly ours: Visitor;
  readonly none: Visitor;
  readonly fastifySession: Visitor;
}

function start(plugin: '@jig/sessions' | '@fastify/session' | 'none'): Promise<ServerUnderTest> {
  return ServerUnderTest.start({ module: new URL('session-server.mjs', import.meta.url), arguments: [plugin] });
}

async function beginSession(server: ServerUnderTest): Promise<Visitor> {
  const { method, headers, body } = form;
  const response = await fetch(server.url, { redirect: 'manual', method, headers, body } as RequestInit);
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0];
  if (cookie === undefined) throw new Error('The server set no session cookie.');
  return { server, headers: { cookie } };
}

function compare(
  name: string,
  speed: number,
  raw: ServerUnderTest,
  { ours, none, fastifySession }: Visitors,
  context: BenchContext,
  requests: (visitor: Visitor) => readonly PlannedRequest[],
): Case {
  const isForm = requests(ours)[0]?.method === 'POST';
  const cost = (visitor: Visitor, status: number) =>
    requestCost(visitor.server, requests(visitor), context, { status });
  const status = isForm ? 302 : 200;
  return {
    name: `${name}: @jig/sessions on plain Fastify`,
    unit: 'µs CPU',
    target: { speed },
    warmUps: context.quick ? 1 : samplesUntilWarm,
    ours: cost(ours, status),
    reference: cost({ server: raw, headers: ours.headers }, 200),
    peers: { '@fastify/session': cost(fastifySession, status), 'Fastify, no session': cost(none, status) },
  };
}
