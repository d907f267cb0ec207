import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment, serviceEnvironment, stopProcess } from '../http/server-under-test.ts';
import type { Case, Suite } from '../suite.ts';
import { BarePostgresql } from './bare-postgresql.ts';

const service = fileURLToPath(new URL('../../../service/dist/main.js', import.meta.url));

export const databaseSuite: Suite = {
  name: 'database',
  about:
    'From being asked to start until the embedded PostgreSQL is ready, with locking, checks, password and watching, against the bare programs.',
  async open({ quick }) {
    if (process.platform !== 'linux') return { cases: [] };
    const folder = mkdtempSync(join(tmpdir(), 'jig-bench-database-'));
    // The server runs as another user when this runs as root.
    chmodSync(folder, 0o755);
    const home = join(folder, 'home');
    const bare = await withService(home, ({ pid }) => BarePostgresql.fromProcess(pid));
    const cases: Case[] = [
      {
        name: 'later start',
        unit: 'ms',
        target: { cost: 5 },
        ours: { sample: () => withService(home, ({ taken }) => taken) },
        reference: { sample: () => bare.start() },
      },
      {
        name: 'first start',
        unit: 'ms',
        target: { cost: 2 },
        ours: { sample: () => withService(mkdtempSync(join(folder, 'home-')), ({ taken }) => taken) },
        reference: { sample: () => bare.initializeAndStart(folder) },
        rounds: quick ? 2 : 4,
        warmUps: 0,
      },
    ];
    return { cases, close: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }) };
  },
};

interface Start {
  /** In milliseconds. */
  readonly taken: number;
  /** The process of the database server. */
  readonly pid: number;
}

/** Starts the service with its database, calls back, and stops it. */
async function withService<Result>(home: string, whenStarted: (start: Start) => Result): Promise<Result> {
  const { JIG_ADD_ONS_EXCLUDE: _, ...environment } = serviceEnvironment(home);
  const child: ChildProcess = spawn(process.execPath, [service], {
    env: cleanEnvironment(environment),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    return whenStarted(await waitForStart(child));
  } finally {
    await stopProcess(child);
  }
}

/** Reads the times from the lines of the log. */
async function waitForStart(child: ChildProcess): Promise<Start> {
  if (child.stdout === null) throw new Error('The service has no output.');
  let asked = 0;
  let taken = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const { time, facts, msg } = JSON.parse(line) as { time: number; facts?: { to?: string }; msg: string };
    if (facts?.to === 'preparing') asked = time;
    if (facts?.to === 'ready') taken = time - asked;
    const url = /listening on (http:\S+)/.exec(msg)?.[1];
    if (url === undefined) continue;
    if (asked === 0 || taken === 0)
      throw new Error('The log does not say when the database was started and when it was ready.');
    child.stdout.resume();
    const health = (await (await fetch(new URL('/health', url))).json()) as Health;
    return { taken, pid: health.parts.database.details.pid };
  }
  throw new Error('The service ended before it was listening.');
}

interface Health {
  readonly parts: { readonly database: { readonly details: { readonly pid: number } } };
}
