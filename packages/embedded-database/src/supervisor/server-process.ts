import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataDirAccess } from './data-dir-access.ts';
import type { Command, ParentDeathSignal } from './parent-death-signal.ts';
import { childrenOf, identify, isAlive, type ProcessIdentity, signal } from './process-identity.ts';
import { credentials, type RunAs } from './run-as.ts';
import type { ServerLog } from './server-log.ts';

/** How long to wait for output that comes after the end. */
const lateOutputMs = 500;

export interface StopStep {
  readonly signal: NodeJS.Signals;
  /** How long to wait for the end before the next step, in milliseconds. */
  readonly timeoutMs: number;
}

export interface ServerCommand extends Command {
  readonly env?: Readonly<Record<string, string>>;
  /** What it reads from its standard input. */
  readonly input?: string;
}

export interface SpawnOptions {
  readonly command: ServerCommand;
  readonly folder: string;
  readonly access: DataDirAccess;
  readonly user: RunAs | undefined;
  readonly log: ServerLog;
  readonly parentDeathSignal: ParentDeathSignal;
  readonly deathSignal: NodeJS.Signals;
}

/** One run of a server, from its spawn to its end. */
export class ServerProcess {
  readonly identity: ProcessIdentity;
  /** How it ended: `exit code 1` or `signal SIGKILL`; its output is then complete. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  #hasEnded = false;

  private constructor(child: ChildProcess, identity: ProcessIdentity, ended: Promise<string>, unwatch: () => void) {
    this.#child = child;
    this.identity = identity;
    this.ended = ended.then((end) => {
      this.#hasEnded = true;
      unwatch();
      return end;
    });
  }

  static async spawn({
    command,
    access,
    user,
    log,
    parentDeathSignal,
    deathSignal,
    folder,
  }: SpawnOptions): Promise<ServerProcess> {
    const { file, args } = parentDeathSignal.wrap(command, deathSignal);
    const env = Object.entries(command.env ?? {}).map(([name, value]) => [name, access.translate(value)]);
    const child = spawn(
      file,
      args.map((argument) => access.translate(argument)),
      {
        cwd: folder,
        // Nothing of our own environment: it may hold secrets, and settings that mean something to the server.
        env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...Object.fromEntries(env) },
        stdio: [command.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...access.descriptors],
        // A session of its own, so that Ctrl-C reaches the application only, which then stops the server in order.
        detached: true,
        ...credentials(user),
      },
    );
    if (child.stdout !== null) log.drain(child.stdout);
    if (child.stderr !== null) log.drain(child.stderr);
    await once(child, 'spawn');
    const ended = endOf(child);
    child.stdin?.on('error', () => {}).end(command.input);
    const pid = child.pid ?? 0;
    const unwatch = parentDeathSignal.watch(pid, deathSignal);
    return new ServerProcess(child, (await identify(pid)) ?? { pid, startTime: '' }, ended, unwatch);
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Whether Node waits for its end before it exits by itself. */
  keepProcessAlive(keeps: boolean): void {
    const verb = keeps ? 'ref' : 'unref';
    this.#child[verb]();
    for (const stream of [this.#child.stdout, this.#child.stderr]) (stream as Socket | null)?.[verb]();
  }

  /** Sends the signals one after another until the process ends, and kills it after the last. */
  async stop(steps: readonly StopStep[]): Promise<void> {
    this.keepProcessAlive(true);
    for (const step of steps) {
      if (this.#hasEnded) return;
      signal(this.identity.pid, step.signal);
      const patience = new AbortController();
      await Promise.race([this.ended, sleep(step.timeoutMs, undefined, { signal: patience.signal })]);
      patience.abort();
    }
    await this.kill();
  }

  async kill(): Promise<void> {
    if (!this.#hasEnded) await killProcessTree(this.identity);
    await this.ended;
  }
}

/** Ends a process and its children, which may be frozen and keep files open. */
export async function killProcessTree(identity: ProcessIdentity): Promise<void> {
  const children = await childrenOf(identity.pid);
  if (await isAlive(identity)) {
    // What we start leads a process group, which holds the children of its children too: an installer has some.
    signal(-identity.pid, 'SIGKILL');
    signal(identity.pid, 'SIGKILL');
  }
  for (const child of children) if (await isAlive(child)) signal(child.pid, 'SIGKILL');
}

async function endOf(child: ChildProcess): Promise<string> {
  const closed = once(child, 'close');
  const [code, killer] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  // The last lines come after the end, unless a child of the server lives on and keeps the pipe open.
  await Promise.race([closed, sleep(lateOutputMs)]);
  return killer === null ? `exit code ${code}` : `signal ${killer}`;
}
