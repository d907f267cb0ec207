import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type ClientRequest, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ServerUnderTest } from '../http/server-under-test.ts';
import { divided, microseconds, requestCost, samplesUntilWarm, shareRounds } from '../samples.ts';
import type { Case, Contender, Suite } from '../suite.ts';

const path = '/jig/bean/orders.json';
const livePages = 50;
const target = { speed: 0.5 };

export const beanRequestsSuite: Suite = {
  name: 'bean-requests',
  about: `Beans over \`node:http\`, access rules and masking on. A bean of 1 KB, against raw \`node:http\` that sends the same head and bytes in one chunk; the same bean for a coding agent; the list of a Nest application with 1,000 providers; ${livePages} open live pages of 100 rows, of which ten change between two looks, at one look a second; a scrape of \`/jig/metrics\` with 1,000 pointers into ten beans; the bean in 20 instances, which are worker threads; and what bean inspection, at which nobody looks, adds to the start of an Express application.`,
  async open(context) {
    const module = new URL('bean-servers.mjs', import.meta.url);
    const start = (beans: string) => ServerUnderTest.start(context, { module, arguments: [beans] });
    const [orders, rows, nest] = await Promise.all([start('orders'), start('rows'), start('nest')]);
    const counters = await start('counters');
    const raw = await ServerUnderTest.startRaw(context, ...(await responseOf(new URL(path, orders.url))));
    const cost = (server: ServerUnderTest) => requestCost(server, [{ path }], context);
    // Few requests: each answer is some 300 KB long.
    const list = (kind: string, url: string, headers = {}): Case => ({
      name: `list of 1,000 beans as ${kind}`,
      unit: 'ms CPU',
      target: { atMost: 50 },
      ours: divided(requestCost(nest, [{ path: url, headers }], context, { count: 10 }), 1000),
    });
    const instances = await ServerUnderTest.start(context, {
      module: new URL('instances-server.mjs', import.meta.url),
      environment: { XDG_RUNTIME_DIR: context.folder },
    });
    const asked = (name: string, atMost: number, address: string): Case => ({
      name,
      unit: 'ms',
      target: { atMost },
      warmUps: 5,
      ours: { sample: () => elapsed(new URL(address, instances.url)) },
    });
    return [
      { name: 'document', target, warmUps: samplesUntilWarm, ours: cost(orders), reference: cost(raw) },
      {
        name: 'read_bean of an agent, against the document',
        target,
        // A message is parsed, checked and answered by more code than a path.
        warmUps: context.quick ? samplesUntilWarm : 14,
        ours: requestCost(orders, [agentRequest], context),
        reference: cost(orders),
      },
      list('JSON', '/jig/bean.json'),
      list('XML', '/jig/bean.xml'),
      list('a page', '/jig/bean', { accept: 'text/html' }),
      {
        name: `${livePages} live pages of one bean`,
        unit: '% of a core',
        target: { atMost: 2 },
        ours: { sample: () => shareOfCore(rows) },
        rounds: context.quick ? 1 : 4,
        warmUps: 0,
      },
      asked('list of the instances, among 100', 300, '/jig/instances.json'),
      asked('the bean in 20 instances, as JSON', 100, `${path}?instance=all`),
      {
        name: 'scrape of 1,000 pointers',
        unit: 'ms CPU',
        target: { atMost: 10 },
        ours: divided(requestCost(counters, [{ path: '/jig/metrics' }], context, { count: 100 }), 1000),
      },
      {
        name: 'added to the start of an Express application',
        unit: 'ms CPU',
        target: { atMost: 25 },
        ours: { sample: async () => Number(await printedBy('load-cost.mjs')) },
      },
    ];
  },
};

const agentRequest = {
  method: 'POST',
  path: '/jig/mcp',
  headers: { 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' },
  body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_bean","arguments":{"name":"orders"}}}',
};

/** From the request to the end of the answer, in milliseconds. */
async function elapsed(url: URL): Promise<number> {
  const start = performance.now();
  await (await fetch(url)).text();
  return performance.now() - start;
}

async function responseOf(url: URL): Promise<[body: string, headers: Record<string, string>]> {
  const response = await fetch(url);
  const ofNode = ['date', 'connection', 'keep-alive'];
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !ofNode.includes(name)));
  return [await response.text(), headers];
}

/** Of a server, in percent, during two looks of each page, which are closed again. */
async function shareOfCore(server: ServerUnderTest): Promise<number> {
  const url = new URL('/jig/bean/rows.html', server.url);
  const requests = await Promise.all(Array.from({ length: livePages }, () => follow(url)));
  // The first look and the first rows are those of opening a page.
  await pause(1500);
  const [before, start] = [await server.usage(), performance.now()];
  await pause(2000);
  const [after, end] = [await server.usage(), performance.now()];
  for (const request of requests) request.destroy();
  return (microseconds(after.cpu) - microseconds(before.cpu)) / (end - start) / 10;
}

/** A client that reads whatever comes. */
async function follow(url: URL): Promise<ClientRequest> {
  const request = get(url, { headers: { accept: 'text/event-stream' }, agent: false });
  const [response] = await once(request, 'response');
  if (response.statusCode !== 200) throw new Error(`${url} answers ${response.statusCode}.`);
  response.on('error', () => {}).resume();
  request.on('error', () => {});
  return request;
}

async function printedBy(script: string, ...args: string[]): Promise<string> {
  const file = fileURLToPath(new URL(script, import.meta.url));
  return (await promisify(execFile)(process.execPath, ['--expose-gc', file, ...args])).stdout;
}

export const bigBeansSuite: Suite = {
  name: 'big-beans',
  about:
    'What a bean of 2,000,000 entries, written as JSON in a process of its own, does to the event loop and to memory.',
  open: ({ quick }) =>
    ['Map', 'Set', 'array'].flatMap((kind): Case[] => {
      const written = shareRounds(async () => {
        return JSON.parse(await printedBy('big-bean.mjs', kind)) as { longestTurn: number; memory: number };
      });
      const row = (what: string, unit: string, atMost: number, ours: Contender) => {
        const name = `${kind} of 2,000,000: ${what}`;
        return { name, unit, target: { atMost }, ours, rounds: quick ? 1 : 2, warmUps: 0 };
      };
      return [
        row(
          'longest turn',
          'ms CPU',
          20,
          written(({ longestTurn }) => longestTurn),
        ),
        row(
          'memory',
          'MiB',
          64,
          written(({ memory }) => memory),
        ),
      ];
    }),
};
