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
    // Several at once, since all that is measured is idle.
    const rounds = Array.from({ length: context.quick ? 3 : 6 }, () => 0);
    let measured: Promise<Round>[] = [];
    const pick = shareRounds(async () => {
      if (measured.length === 0) measured = rounds.map(() => measureRound(context));
      return measured.shift() as Promise<Round>;
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

/** What the recording takes in the first minute and after it, in percent of a core. */
type Round = Awaited<ReturnType<typeof measureRound>>;

async function measureRound(context: BenchContext) {
  const start = (values: string) => ServerUnderTest.start(context, { module: recording, arguments: [values] });
  const servers = await Promise.all(['none', 'bean', 'process', 'none'].map(start));
  const used = async () => {
    const cpu = servers.map(async (server) => microseconds((await server.usage()).cpu));
    return { at: performance.now(), cpu: await Promise.all(cpu) };
  };
  const before = await used();
  await pause(1500);
  await (await fetch(new URL('/jig/watch', servers.at(-1)?.url), page[0])).text();
  await pause(context.quick ? 15_000 : 58_500);
  const minute = await used();
  await pause(context.quick ? 10_000 : 30_000);
  const after = await used();
  for (const server of servers) await server.stop();
  const shares = (from: typeof before, to: typeof before) => {
    const [none = 0, ...others] = to.cpu.map((cpu, index) => (cpu - (from.cpu[index] ?? 0)) / (to.at - from.at) / 10);
    const [bean = 0, ofProcess = 0, visited = 0] = others.map((share) => share - none);
    return { bean, process: ofProcess, visited };
  };
  return { first: shares(before, minute), later: shares(minute, after) };
}
