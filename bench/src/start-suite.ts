import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServerUnderTest } from './http/server-under-test.ts';
import { atMost, shareRounds } from './samples.ts';
import type { BenchContext, Suite } from './suite.ts';

/** Whether the system tells from outside what a process has used, as Linux does. */
const tellsProcessorTime = existsSync('/proc/self/schedstat');
const hello = new URL('http/hello.mjs', import.meta.url);

/** Node 22 and newer have a compile cache, which the service turns on; the first start, which fills it, is a warm-up. */
const target = Number.parseInt(process.versions.node, 10) >= 22 ? { cost: 3 } : { cost: 4.5 };

/** What it takes to have the service at all. */
export const startSuite: Suite = {
  name: 'start',
  about:
    'The built service without a database, from the start of its process to its first 200, against a bare `node:http` hello.',
  open(context) {
    const environment = { JIG_HOME: mkdtempSync(join(context.folder, 'home-')) };
    const startService = () => ServerUnderTest.startService(context, { environment, isBare: true });
    const startHello = () => ServerUnderTest.start(context, { module: hello, isBare: true });
    const ours = shareRounds(() => start(startService, '/health'));
    const reference = shareRounds(() => start(startHello, '/'));
    const startCase = (name: string, pick: Parameters<typeof ours>[0]) => {
      return { name, unit: 'ms', target, ours: ours(pick), reference: reference(pick) };
    };
    const elapsed = startCase('process start to first 200', ({ time }) => time);
    const used = startCase('processor time to first 200, the same on a busy machine', ({ processor }) => processor);
    return [
      elapsed,
      ...(tellsProcessorTime ? [used] : []),
      atMost(90, 'MB', 'resident memory after the first requests', () => residentMemory(context)),
    ];
  },
};

/** Starts a server, waits for its first 200, and measures it right then, in milliseconds. */
async function start(server: () => Promise<ServerUnderTest>, path: string) {
  const begin = performance.now();
  const started = await server();
  await expectOk(new URL(path, started.url));
  const measured = { time: performance.now() - begin, processor: processorTime(started.pid) };
  await started.stop();
  return measured;
}

/** The time in ms that all threads of a process have spent on processors, told without a word from the process itself. */
function processorTime(pid: number): number {
  if (!tellsProcessorTime) return 0;
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) => {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  });
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}

async function residentMemory(context: BenchContext): Promise<number> {
  const server = await ServerUnderTest.startService(context);
  for (const page of ['/health', '/']) await expectOk(new URL(page, server.url));
  const { memory } = await server.usage();
  await server.stop();
  return memory.rss / 1e6;
}

async function expectOk(url: URL): Promise<void> {
  const response = await fetch(url);
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url.pathname} answered ${response.status}, not 200.`);
}
