import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  cleanEnvironment,
  listeningAddress,
  ServerUnderTest,
  serviceEnvironment,
  stopProcess,
} from '../http/server-under-test.ts';
import { shareRounds } from '../shared-rounds.ts';
import type { BenchContext, Contender, Suite } from '../suite.ts';
import { canTellProcessorTime, processorTime } from './processor-time.ts';

const service = new URL('../../../service/dist/main.js', import.meta.url);
const hello = new URL('hello.mjs', import.meta.url);
const pages = ['/health', '/'];

/** Node 22 and newer have a compile cache, which the service turns on; the first start, which fills it, is a warm-up. */
const asked = Number.parseInt(process.versions.node, 10) >= 22 ? { cost: 3 } : { cost: 4.5 };

/** What it takes to have the service at all. */
export const startSuite: Suite = {
  name: 'start',
  about:
    'The built service without a database, from the start of its process to its first 200, against a bare `node:http` hello.',
  open(context) {
    const environment = serviceEnvironment(mkdtempSync(join(context.folder, 'home-')));
    const ours = shareRounds(() => start(service, '/health', environment));
    const reference = shareRounds(() => start(hello, '/', {}));
    const startCase = (name: string, pick: (start: Start) => number) => ({
      name,
      unit: 'ms',
      target: asked,
      ours: ours(pick),
      reference: reference(pick),
    });
    return {
      cases: [
        startCase('process start to first 200', ({ time }) => time),
        ...(canTellProcessorTime
          ? [startCase('processor time to first 200, the same on a busy machine', ({ processor }) => processor)]
          : []),
        {
          name: 'resident memory after the first requests',
          unit: 'MB',
          target: { atMost: 90 },
          ours: residentMemory(context),
        },
      ],
    };
  },
};

/** In milliseconds. */
interface Start {
  readonly time: number;
  /** 0 where the system does not tell. */
  readonly processor: number;
}

/** Starts a server, waits for its first 200, and measures it right then. */
async function start(module: URL, path: string, environment: Readonly<Record<string, string>>): Promise<Start> {
  const begin = performance.now();
  const child: ChildProcess = spawn(process.execPath, [fileURLToPath(module)], {
    env: cleanEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    await expectOk(new URL(path, await listeningAddress(child)));
    const time = performance.now() - begin;
    return { time, processor: canTellProcessorTime ? processorTime(child.pid ?? 0) : 0 };
  } finally {
    await stopProcess(child);
  }
}

function residentMemory(context: BenchContext): Contender {
  return {
    async sample() {
      const server = await ServerUnderTest.startService(context);
      try {
        for (const page of pages) await expectOk(new URL(page, server.url));
        return (await server.usage()).memory.rss / 1e6;
      } finally {
        await server.stop();
      }
    },
  };
}

async function expectOk(url: URL): Promise<void> {
  const response = await fetch(url);
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url.pathname} answered ${response.status}, not 200.`);
}
