import { setTimeout as pause } from 'node:timers/promises';
import { ServerUnderTest } from '../http/server-under-test.ts';
import { atMost, divided, printedBy, requestCost, samplesUntilWarm, shareOfCore, shareRounds } from '../samples.ts';
import type { Suite } from '../suite.ts';

const path = '/jig/bean/orders.json';
const livePages = 50;
const target = { speed: 0.5 };

export const beanRequestsSuite: Suite = {
  name: 'bean-requests',
  about:
    'Beans over `node:http`, access rules and masking on. A bean of 1 KB, against raw `node:http` that sends the same bytes; lists of a Nest application with 1,000 providers; live pages of 100 rows, of which ten change each second; a scrape with 1,000 pointers into ten beans; instances that are worker threads.',
  async open(context) {
    const module = new URL('bean-servers.mjs', import.meta.url);
    const start = (beans: string, environment = {}) =>
      ServerUnderTest.start(context, { module, arguments: [beans], environment });
    const [orders, rows, nest] = await Promise.all([start('orders'), start('rows'), start('nest')]);
    const counters = await start('counters');
    const instances = await start('instances', { XDG_RUNTIME_DIR: context.folder });
    const raw = await ServerUnderTest.startRaw(context, ...(await responseOf(new URL(path, orders.url))));
    const cost = (server: ServerUnderTest) => requestCost(server, [{ path }], context);
    // Few requests: each answer is some 300 KB long.
    const list = (kind: string, url: string, headers = {}) => {
      const ours = divided(requestCost(nest, [{ path: url, headers }], context, { count: 10 }), 1000);
      return atMost(50, 'ms CPU', `list of 1,000 beans as ${kind}`, ours);
    };
    const asked = (name: string, most: number, address: string) => ({
      ...atMost(most, 'ms', name, () => elapsed(new URL(address, instances.url))),
      warmUps: 5,
    });
    const scrape = divided(requestCost(counters, [{ path: '/jig/metrics' }], context, { count: 100 }), 1000);
    const loaded = new URL('load-cost.mjs', import.meta.url);
    return [
      { name: 'document', target, warmUps: samplesUntilWarm, ours: cost(orders), reference: cost(raw) },
      {
        name: 'read_bean of an agent, against the document',
        target,
        // A message is parsed, checked and answered by more code than a path.
        warmUps: 14,
        ours: requestCost(orders, [agentRequest], context),
        reference: cost(orders),
      },
      list('JSON', '/jig/bean.json'),
      list('XML', '/jig/bean.xml'),
      list('a page', '/jig/bean', { accept: 'text/html' }),
      {
        ...atMost(2, '% of a core', `${livePages} live pages of one bean`, () => shareWithPages(rows)),
        rounds: 4,
        warmUps: 0,
      },
      asked('list of the instances, among 100', 300, '/jig/instances.json'),
      asked('the bean in 20 instances, as JSON', 100, `${path}?instance=all`),
      atMost(10, 'ms CPU', 'scrape of 1,000 pointers', scrape),
      atMost(25, 'ms CPU', 'added to the start of an Express application', async () => Number(await printedBy(loaded))),
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

/** Of a core, in percent, during two looks of each page, which are closed again. */
async function shareWithPages(server: ServerUnderTest): Promise<number> {
  const url = new URL('/jig/bean/rows.html', server.url);
  const closing = new AbortController();
  const options = { headers: { accept: 'text/event-stream' }, signal: closing.signal };
  const pages = await Promise.all(Array.from({ length: livePages }, () => fetch(url, options)));
  for (const { ok, status, body } of pages) {
    if (!ok) throw new Error(`${url} answers ${status}.`);
    body?.pipeTo(new WritableStream()).catch(() => {});
  }
  // The first look and the first rows are those of opening a page.
  await pause(1500);
  const share = await shareOfCore(server, 2000);
  closing.abort();
  return share;
}

export const bigBeansSuite: Suite = {
  name: 'big-beans',
  about:
    'What a bean of 2,000,000 entries, written as JSON in a process of its own, does to the event loop and to memory.',
  open: () =>
    ['Map', 'Set', 'array'].flatMap((kind) => {
      const written = shareRounds(async () => {
        const printed = await printedBy(new URL('big-bean.mjs', import.meta.url), kind);
        return JSON.parse(printed) as { longestTurn: number; memory: number };
      });
      const [turn, memory] = [written(({ longestTurn }) => longestTurn), written((each) => each.memory)];
      const name = `${kind} of 2,000,000`;
      const rows = [atMost(20, 'ms CPU', `${name}: longest turn`, turn), atMost(64, 'MiB', `${name}: memory`, memory)];
      return rows.map((row) => ({ ...row, rounds: 2, warmUps: 0 }));
    }),
};
