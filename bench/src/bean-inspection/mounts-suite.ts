import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { requestCost, samplesUntilWarm } from '../cpu-time.ts';
import { ServerUnderTest, stopServers } from '../http/server-under-test.ts';
import type { BenchContext, Case, Contender, Suite } from '../suite.ts';

const module = new URL('mount-server.mjs', import.meta.url);
const path = '/jig/bean/orders.json';

/** Sent by Node itself, or not the same in each response. */
const ofNode = ['date', 'connection', 'keep-alive', 'content-type', 'transfer-encoding'];

/** What a bean of 1 KB costs in the frameworks that people have. */
export const mountsSuite: Suite = {
  name: 'mounts',
  about:
    'A live bean of 1 KB at /jig/bean/orders.json, access rules and masking on, against a route of the same framework that sends it as JSON, and against raw `node:http` that sends the same head and bytes in one chunk.',
  async open(context) {
    const servers = new Map<string, ServerUnderTest>();
    const start = async (name: string, ...more: string[]) => {
      servers.set(name, await ServerUnderTest.start({ module, arguments: [name, ...more] }));
    };
    const frameworks = ['node:http', 'Express', 'Fastify'];
    await Promise.all(frameworks.flatMap((framework) => ['beans', 'JSON'].map((how) => start(`${framework}, ${how}`))));
    await start('node:http, raw', await headOf(servers.get('node:http, beans')));
    const row = (name: string, ours: string, reference: string, target: Case['target']) =>
      mountCase(context, name, [servers.get(ours), servers.get(reference)], target);
    return {
      cases: [
        row('node:http, against raw', 'node:http, beans', 'node:http, raw', { speed: 0.5, aim: 0.7 }),
        row('node:http, against JSON', 'node:http, beans', 'node:http, JSON', { shown: true }),
        agentCase(context, servers.get('node:http, beans')),
        row('Express, against res.json', 'Express, beans', 'Express, JSON', { shown: true }),
        row('Fastify, against its JSON', 'Fastify, beans', 'Fastify, JSON', { shown: true }),
        {
          name: 'added to the start of an Express application',
          unit: 'ms CPU',
          target: { atMost: 25 },
          ours: loadCost,
        },
      ],
      close: () => stopServers([...servers.values()]),
    };
  },
};

/** The same bean for a coding agent, which asks by a message and gets the document as a text inside of one. */
function agentCase(context: BenchContext, server: ServerUnderTest | undefined): Case {
  if (server === undefined) throw new Error('There is no server for agents.');
  const params = { name: 'read_bean', arguments: { name: 'orders' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const headers = { 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' };
  return {
    name: 'node:http, read_bean of an agent against the document',
    unit: 'µs CPU',
    target: { speed: 0.5 },
    // A message is parsed, checked and answered by more code than a path.
    warmUps: context.quick ? samplesUntilWarm : 14,
    ours: requestCost(server, [{ method: 'POST', path: '/jig/mcp', headers, body }], context),
    reference: requestCost(server, [{ path }], context),
  };
}

const loadCost: Contender = {
  async sample() {
    const script = fileURLToPath(new URL('load-cost.mjs', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script]);
    return Number(stdout);
  },
};

/** The headers that bean inspection sends, as JSON. */
async function headOf(server: ServerUnderTest | undefined): Promise<string> {
  const { headers } = await fetch(new URL(path, server?.url));
  return JSON.stringify(Object.fromEntries([...headers].filter(([name]) => !ofNode.includes(name))));
}

function mountCase(
  context: BenchContext,
  name: string,
  [ours, reference]: readonly (ServerUnderTest | undefined)[],
  target: Case['target'],
): Case {
  if (ours === undefined || reference === undefined) throw new Error(`There is no server for ${name}.`);
  const cost = (server: ServerUnderTest) => requestCost(server, [{ path }], context);
  return { name, unit: 'µs CPU', target, warmUps: samplesUntilWarm, ours: cost(ours), reference: cost(reference) };
}
