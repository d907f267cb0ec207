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
import type { BenchContext, Case, Contender, Suite } from '../suite.ts';
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
    const rounds = context.quick ? 5 : 15;
    const processorTimeCase: Case = {
      name: 'processor time to first 200, the same on a busy machine',
      unit: 'ms',
      target: asked,
      rounds,
      ours: { sample: () => start(service, '/health', environment, (_, child) => processorTime(child.pid ?? 0)) },
      reference: { sample: () => start(hello, '/', {}, (_, child) => processorTime(child.pid ?? 0)) },
    };
    return {
      cases: [
        {
          name: 'process start to first 200',
          unit: 'ms',
          target: asked,
          rounds,
          ours: { sample: () => start(service, '/health', environment, (time) => time) },
          reference: { sample: () => start(hello, '/', {}, (time) => time) },
        },
        ...(canTellProcessorTime ? [processorTimeCase] : []),
        {
          name: 'resident memory after the first requests',
          unit: 'MB',
          target: { atMost: 90 },
          ours: residentMemory(context),
          rounds: context.quick ? 1 : 5,
        },
      ],
    };
  },
};

/** Starts a server, waits for its first 200, and measures it right then. */
async function start(
  module: URL,
  path: string,
  environment: Readonly<Record<string, string>>,
  measure: (milliseconds: number, child: ChildProcess) => number,
): Promise<number> {
  const begin = performance.now();
  const child: ChildProcess = spawn(process.execPath, [fileURLToPath(module)], {
    env: cleanEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    await expectOk(new URL(path, await listeningAddress(child)));
    return measure(performance.now() - begin, child);
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
