import { setTimeout as pause } from 'node:timers/promises';
import { ServerUnderTest } from '../http/server-under-test.ts';
import { atMost, divided, microseconds, printedBy, requestCost, shareRounds } from '../samples.ts';
import type { BenchContext, Case, Suite } from '../suite.ts';

const watched = new URL('watched-server.mjs', import.meta.url);
const recording = new URL('recording-server.mjs', import.meta.url);
/** Five hours, so that the plots are full. */
const hours = String(5 * 3600);
const long = { rounds: 4, warmUps: 0 };
const page = [{ path: '/jig/watch', headers: { accept: 'text/html' } }];

export const watchSuite: Suite = {
  name: 'watch',
  about:
    'Values that are recorded once a second: what that takes of a core while nobody looks, less what the same application takes without; what 50 of them take of memory; and the page with 20 of them.',
  async open(context) {
    const server = await ServerUnderTest.start(context, { module: watched, arguments: ['20', hours] });
    const measured: Round[] = [];
    const pick = shareRounds(async () => {
      if (measured.length === 0) measured.push(...(await measureRounds(context)));
      return measured.shift() as Round;
    });
    const share = (name: string, of: (round: Round) => number): Case => ({
      ...atMost(0.1, '% of a core', name, pick(of)),
      warmUps: 0,
    });
    return [
      share('20 values recorded, first minute', ({ first }) => first.bean),
      share('20 values recorded, later', ({ later }) => later.bean),
      share('20 values, six of the process, first minute', ({ first }) => first.process),
      share('20 values, six of the process, later', ({ later }) => later.process),
      share('six of the process, a minute after the page', ({ later }) => later.visited),
      {
        ...atMost(4, 'MiB', '50 values recorded, memory', async () => Number(await printedBy(watched, '50'))),
        ...long,
      },
      atMost(20, 'ms CPU', 'page of 20 values', divided(requestCost(server, page, context, { count: 40 }), 1000)),
    ];
  },
};

const kinds = ['none', 'bean', 'process', 'visited'] as const;
type Shares = Readonly<Record<(typeof kinds)[number], number>>;

/** What the recording takes in the first minute and after it, in percent of a core. */
interface Round {
  readonly first: Shares;
  readonly later: Shares;
}

/** Several rounds at once, since all that is measured is idle. */
async function measureRounds(context: BenchContext): Promise<readonly Round[]> {
  const { quick } = context;
  const start = (values: string) => ServerUnderTest.start(context, { module: recording, arguments: [values] });
  const rounds = await Promise.all(
    Array.from({ length: quick ? 3 : 6 }, async () => {
      const servers = kinds.map((kind) => start(kind === 'visited' ? 'none' : kind));
      return Promise.all(servers);
    }),
  );
  const used = () =>
    Promise.all(
      rounds.map((servers) =>
        Promise.all(servers.map(async (server) => microseconds((await server.usage()).cpu) / 1000)),
      ),
    );
  const [before, began] = [await used(), performance.now()];
  await pause(1500);
  for (const servers of rounds) await (await fetch(new URL('/jig/watch', servers.at(-1)?.url), page[0])).text();
  await pause(quick ? 15_000 : 58_500);
  const [minute, middle] = [await used(), performance.now()];
  await pause(quick ? 10_000 : 30_000);
  const [after, end] = [await used(), performance.now()];
  for (const server of rounds.flat()) await server.stop();
  const shares = (from: readonly number[] = [], to: readonly number[] = [], milliseconds: number): Shares => {
    const [none = 0, ...others] = to.map((cpu, index) => (100 * (cpu - (from[index] ?? 0))) / milliseconds);
    const [bean = 0, ofProcess = 0, visited = 0] = others.map((share) => share - none);
    return { none, bean, process: ofProcess, visited };
  };
  return rounds.map((_, index) => ({
    first: shares(before[index], minute[index], middle - began),
    later: shares(minute[index], after[index], end - middle),
  }));
}
