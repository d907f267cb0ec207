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
import type { BenchContext, Contender, Suite } from '../suite.ts';

const service = fileURLToPath(new URL('../../../service/dist/main.js', import.meta.url));
const hello = fileURLToPath(new URL('hello.mjs', import.meta.url));
const pages = ['/health', '/'];

/** What it takes to have the service at all. */
export const startSuite: Suite = {
  name: 'start',
  about:
    'The built service without a database, from the start of its process to its first 200, against a bare `node:http` hello.',
  open: (context) => ({
    cases: [
      {
        name: 'process start to first 200',
        unit: 'ms',
        target: { cost: 3.5, aim: 2 },
        ours: startTime(service, '/health', serviceEnvironment(mkdtempSync(join(context.folder, 'home-')))),
        reference: startTime(hello, '/', {}),
        rounds: context.quick ? 5 : 15,
      },
      {
        name: 'resident memory after the first requests',
        unit: 'MB',
        target: { atMost: 90 },
        ours: residentMemory(context),
        rounds: context.quick ? 1 : 5,
      },
    ],
  }),
};

function startTime(module: string, path: string, environment: Readonly<Record<string, string>>): Contender {
  return {
    async sample() {
      const start = performance.now();
      const child: ChildProcess = spawn(process.execPath, [module], {
        env: cleanEnvironment(environment),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      try {
        await expectOk(new URL(path, await listeningAddress(child)));
        return performance.now() - start;
      } finally {
        await stopProcess(child);
      }
    },
  };
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
