import type { PlannedRequest } from '../http/request-bytes.ts';
import { requestCost } from '../http/request-cost.ts';
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
    'A page of 135 KB that looks into the session, and a form stored into it, on Fastify with our sessions, against raw `node:http` sending the page or two bytes; beside Fastify without sessions and with `@fastify/session`.',
  async open(context) {
    const servers = await Promise.all([
      start('ours'),
      ServerUnderTest.startRaw(context, { body: 'x'.repeat(135 * 1024) }),
      ServerUnderTest.startRaw(context, { body: 'ok' }),
      start('none'),
      start('@fastify/session'),
    ]);
    const [ours, page, tiny, none, fastifySession] = servers;
    const kinds = {
      ours: await visitor(ours),
      none: { server: none, headers: {} },
      fastifySession: await visitor(fastifySession),
    };
    const looking = ({ headers }: Visitor) => [{ path: '/', headers }];
    // Each says something new: what is stored already need not be stored.
    const changing = ({ headers }: Visitor) =>
      [otherForm, form].map((each) => ({ ...each, headers: { ...each.headers, ...headers } }));
    return {
      cases: [
        compare('page with a session', 0.7, page, kinds, context, looking),
        compare('form that begins a session', 0.6, tiny, kinds, context, () => [form]),
        compare('form into a session', 0.6, tiny, kinds, context, changing),
      ],
      close: async () => {
        await Promise.all(servers.map((server) => server.stop()));
      },
    };
  },
};

interface Visitor {
  readonly server: ServerUnderTest;
  readonly headers: Readonly<Record<string, string>>;
}

interface Kinds {
  readonly ours: Visitor;
  readonly none: Visitor;
  readonly fastifySession: Visitor;
}

function start(kind: string): Promise<ServerUnderTest> {
  return ServerUnderTest.start({ module: new URL('session-server.mjs', import.meta.url), arguments: [kind] });
}

/** Somebody who has a session already. */
async function visitor(server: ServerUnderTest): Promise<Visitor> {
  const { method, headers, body } = form;
  const answer = await fetch(server.url, { redirect: 'manual', method, headers, body } as RequestInit);
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0];
  if (cookie === undefined) throw new Error('The server began no session.');
  return { server, headers: { cookie } };
}

function compare(
  name: string,
  speed: number,
  raw: ServerUnderTest,
  { ours, none, fastifySession }: Kinds,
  context: BenchContext,
  requests: (visitor: Visitor) => readonly PlannedRequest[],
): Case {
  const isForm = requests(ours)[0]?.method === 'POST';
  // Small answers need more of them, until the code is warm and the numbers are steady.
  const count = isForm && !context.quick ? 6000 : undefined;
  const cost = (visitor: Visitor, status: number) =>
    requestCost(visitor.server, requests(visitor), context, { status, ...(count === undefined ? {} : { count }) });
  const status = isForm ? 302 : 200;
  return {
    name,
    unit: 'µs CPU',
    target: { speed },
    ours: cost(ours, status),
    reference: cost({ server: raw, headers: ours.headers }, 200),
    peers: { 'Fastify, no session': cost(none, status), '@fastify/session': cost(fastifySession, status) },
  };
}
