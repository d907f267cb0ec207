import { once } from 'node:events';
import { type ClientRequest, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { microseconds } from '../cpu-time.ts';
import { ServerUnderTest, stopServers } from '../http/server-under-test.ts';
import type { Contender, Suite } from '../suite.ts';

const module = new URL('live-server.mjs', import.meta.url);
const pages = 50;

/** What live pages cost while nobody does anything but look. */
export const liveSuite: Suite = {
  name: 'live pages',
  about: `What ${pages} open live pages cost the server, each with 100 rows, of which ten change between two looks, at one look a second: CPU time of the process by wall time.`,
  async open({ quick }) {
    const server = await ServerUnderTest.start({ module });
    const seconds = 3;
    const row = (name: string, target: { atMost: number } | { shown: true }, path: (page: number) => string) => ({
      name,
      unit: '% of a core',
      target,
      ...('shown' in target ? { rounds: quick ? 1 : 2, warmUps: 0 } : { rounds: quick ? 1 : 3, warmUps: 1 }),
      ours: shareOfCore(server, path, seconds),
    });
    return {
      cases: [
        row(`${pages} pages of one bean`, { atMost: 2 }, () => '/jig/bean/rows.html'),
        row(`${pages} pages, no two alike`, { shown: true }, (page) => `/jig/bean/rows.html?open=/row${page}`),
        row(`${pages} streams of its JSON`, { shown: true }, () => '/jig/bean/rows.json'),
      ],
      close: () => stopServers([server]),
    };
  },
};

function shareOfCore(server: ServerUnderTest, path: (page: number) => string, seconds: number): Contender {
  return {
    async sample() {
      const requests = await Promise.all(
        Array.from({ length: pages }, (_, page) => follow(new URL(path(page), server.url))),
      );
      // The first look and the first rows are those of opening a page.
      await pause(1500);
      const before = await server.usage();
      const start = performance.now();
      await pause(seconds * 1000);
      const after = await server.usage();
      const wall = (performance.now() - start) * 1000;
      for (const request of requests) request.destroy();
      return ((microseconds(after.cpu) - microseconds(before.cpu)) / wall) * 100;
    },
  };
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
