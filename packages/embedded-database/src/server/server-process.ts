import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasEndedWithin, type ProcessIdentity, signal } from './process-identity.ts';
import { credentials } from './run-as.ts';
import type { ServerFolder } from './server-folder.ts';
import { watch } from './watchdog.ts';

/** How long to wait for output after the exit, in milliseconds. */
const outputTimeout = 500;
/** How long a killed process may take to end, in milliseconds: it may be waiting for a disk. */
const killTimeout = 10_000;

/** A signal that ends a server, and how long to wait before the next step, in milliseconds. */
export type StopStep = readonly [signal: NodeJS.Signals, timeout: number];

/** One run of a program, from its spawn to its end. */
export class ServerProcess {
  readonly pid: number;
  /** How it ended: `exit code 1` or `signal SIGKILL`; its output is then complete. */
  readonly ended: Promise<string>;
  hasEnded = false;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, pid: number, unwatch: () => void) {
    this.#child = child;
    this.pid = pid;
    this.ended = endOf(child).then((end) => {
      this.hasEnded = true;
      unwatch();
      return end;
    });
  }

  /** When this process dies, the program gets `deathSignal`, and the folder `disposable` is removed. */
  static async spawn(
    { access, env, user, log }: ServerFolder,
    program: string,
    args: readonly string[],
    deathSignal: NodeJS.Signals,
    disposable = '',
  ): Promise<ServerProcess> {
    const own = Object.entries(env).map(([name, value]) => [name, access.translate(value)]);
    const options = {
      cwd: '/',
      // Not our own environment: it may hold secrets, and variables that the server would read.
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...Object.fromEntries(own) },
      // A session of its own, so that Ctrl-C reaches the application only, which then stops the server in order.
      detached: true,
      ...credentials(user),
    };
    const translated = args.map((argument) => access.translate(argument));
    const child = spawn(program, translated, { ...options, stdio: ['ignore', 'pipe', 'pipe', ...access.descriptors] });
    if (child.stdout !== null) log.drain(child.stdout);
    if (child.stderr !== null) log.drain(child.stderr);
    await once(child, 'spawn');
    const { pid = 0 } = child;
    return new ServerProcess(child, pid, watch(pid, deathSignal, disposable));
  }

  /** Lets Node exit while the program runs. */
  unref(): void {
    this.#child.unref();
    for (const stream of [this.#child.stdout, this.#child.stderr]) (stream as Socket | null)?.unref();
  }

  /** Resolves when the program has ended; kills it after the last step. */
  async stop(steps: readonly StopStep[]): Promise<void> {
    const hasEnded = async (timeout: number) => {
      const waiting = new AbortController();
      await Promise.race([this.ended, sleep(timeout, undefined, { signal: waiting.signal })]);
      waiting.abort();
      return this.hasEnded;
    };
    if (!this.hasEnded) await end(this.pid, steps, hasEnded);
    await this.ended;
  }
}

/** Ends a server that an earlier application started. */
export const endOrphan = (orphan: ProcessIdentity, steps: readonly StopStep[]): Promise<void> =>
  end(orphan.pid, steps, (timeout) => hasEndedWithin(timeout, orphan));

/** Sends the signals one after another until the process ends, and kills it after the last. */
async function end(
  pid: number,
  steps: readonly StopStep[],
  hasEnded: (timeout: number) => Promise<boolean>,
): Promise<void> {
  for (const [name, timeout] of steps) {
    signal(pid, name);
    if (await hasEnded(timeout)) return;
  }
  // The process leads a group with the programs that it runs; PostgreSQL's other processes end when it does.
  signal(-pid, 'SIGKILL');
  signal(pid, 'SIGKILL');
  await hasEnded(killTimeout);
}

async function endOf(child: ChildProcess): Promise<string> {
  const closed = once(child, 'close');
  const [code, endSignal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  // The last lines arrive after the exit; a child of the server that still runs would keep the pipe open.
  await Promise.race([closed, sleep(outputTimeout)]);
  return endSignal === null ? `exit code ${code}` : `signal ${endSignal}`;
}
