import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const builtService = fileURLToPath(new URL('../../service/dist/main.js', import.meta.url));

/** For tests that have nothing to do with the database, and would only wait for it. */
export const withoutDatabase: NodeJS.ProcessEnv = { JIG_ADD_ONS_EXCLUDE: '@jig/embedded-database' };

export interface ServiceOptions {
  /** The module to run: the built service, unless another application is meant. */
  readonly main?: string;
  readonly flags?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** The data folder; without one, a temporary one that `stop` removes. */
  readonly home?: string;
  readonly workingDirectory?: string;
  readonly nodeFlags?: readonly string[];
  readonly uid?: number;
}

export interface RunningService {
  /** Without a slash at the end. */
  readonly url: string;
  readonly pid: number;
  readonly home: string;
  readonly process: ChildProcess;
  /** All that it printed so far. */
  output(): string;
  /** Waits until it has printed something that matches. */
  printed(pattern: RegExp, milliseconds?: number): Promise<void>;
  /** Stops it, and resolves to its exit code; idempotent. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface EndedService {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of this process without variables that would change the service. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const left = new Set(['NODE_ENV', 'PORT', 'HOST', 'REDIS_URL', 'DATABASE_URL', 'VITEST', 'NODE_OPTIONS']);
  const entries = Object.entries(process.env).filter(([name]) => !left.has(name) && !name.startsWith('JIG_'));
  return Object.fromEntries(entries);
}

async function spawnService(options: ServiceOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'jig-service-'));
  const home = options.home ?? join(folder, 'home');
  const { main = builtService, flags = [], nodeFlags = [], uid } = options;
  const child = spawn(process.execPath, [...nodeFlags, main, ...flags], {
    cwd: options.workingDirectory ?? folder,
    env: { ...cleanEnvironment(), PORT: '0', JIG_HOME: home, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  const ended = once(child, 'close').then(async ([code]) => {
    await rm(folder, { recursive: true, force: true });
    return code as number | null;
  });
  return { child, home, texts, ended };
}

/** Only a hanging process takes this long. */
const hangMs = 300_000;

/** Throws if nothing that matches is printed in time, or before the process ends. */
export async function waitUntilPrinted(
  output: () => string,
  pattern: RegExp,
  milliseconds = hangMs,
  isEnded = () => false,
): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (!pattern.test(output())) {
    if (isEnded() || Date.now() > deadline)
      throw new Error(`The service did not print ${pattern}. It printed:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Starts the built service on a free port of the loopback, in a folder of its own; fails with what it printed when it ends instead. */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const { child, home, texts, ended } = await spawnService(options);
  const output = () => texts.stdout + texts.stderr;
  const printed = async (pattern: RegExp, milliseconds = hangMs) => {
    try {
      await waitUntilPrinted(output, pattern, milliseconds, () => child.exitCode !== null || child.signalCode !== null);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  };
  await printed(/listening on http:\/\/[^ "]+/);
  return {
    url: /listening on (http:\/\/[^ "]+)/.exec(output())?.[1] ?? '',
    pid: child.pid ?? 0,
    home,
    process: child,
    output,
    printed,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Runs the service, and expects it to end by itself. */
export async function runService(options: ServiceOptions = {}): Promise<EndedService> {
  const { child, texts, ended } = await spawnService(options);
  const timer = setTimeout(() => child.kill('SIGKILL'), hangMs);
  const exitCode = await ended;
  clearTimeout(timer);
  return { exitCode, ...texts };
}
