import { once } from 'node:events';
import { type ClientRequest, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { microseconds } from '../cpu-time.ts';
import { ServerUnderTest, startServers, stopServers } from '../http/server-under-test.ts';
import { shareRounds } from '../shared-rounds.ts';
import type { Case, Suite } from '../suite.ts';

const module = new URL('live-server.mjs', import.meta.url);
const pages = 50;

/** What live pages cost while nobody does anything but look. */
export const liveSuite: Suite = {
  name: 'live pages',
  about: `What ${pages} open live pages cost the server, each with 100 rows, of which ten change between two looks, at one look a second: CPU time of the process by wall time.`,
  async open({ quick }) {
    const servers = await startServers(rows, () => ServerUnderTest.start({ module }));
    const round = shareRounds(() => withPages(servers, () => sharesOfCore(servers)));
    return {
      cases: rows.map(({ name, target }, index) => ({
        name,
        unit: '% of a core',
        target,
        ours: round((shares) => shares[index] ?? 0),
        rounds: quick ? 1 : 4,
        warmUps: 0,
      })),
      close: () => stopServers(servers),
    };
  },
};

/** Each with a server of its own: they mostly wait, so that all are measured at the same time. */
const rows: readonly { name: string; target: Case['target']; path: (page: number) => string }[] = [
  { name: `${pages} pages of one bean`, target: { atMost: 2 }, path: () => '/jig/bean/rows.html' },
  {
    name: `${pages} pages, no two alike`,
    target: { shown: true },
    path: (page) => `/jig/bean/rows.html?open=/row${page}`,
  },
  { name: `${pages} streams of its JSON`, target: { shown: true }, path: () => '/jig/bean/rows.json' },
];

/** Opens all pages and closes them again, since they would cost something while others are measured. */
async function withPages<Result>(servers: readonly ServerUnderTest[], work: () => Promise<Result>): Promise<Result> {
  const followed = servers.flatMap((server, index) =>
    Array.from({ length: pages }, (_, page) => follow(new URL(rows[index]?.path(page) ?? '', server.url))),
  );
  const requests = await Promise.all(followed);
  // The first look and the first rows are those of opening a page.
  await pause(1500);
  try {
    return await work();
  } finally {
    for (const request of requests) request.destroy();
  }
}

/** Of each server, during two looks of each page. */
async function sharesOfCore(servers: readonly ServerUnderTest[]): Promise<number[]> {
  const usage = () => Promise.all(servers.map(async (server) => microseconds((await server.usage()).cpu)));
  const before = await usage();
  const start = performance.now();
  await pause(2000);
  const after = await usage();
  const wall = (performance.now() - start) * 1000;
  return after.map((cpu, index) => ((cpu - (before[index] ?? 0)) / wall) * 100);
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
