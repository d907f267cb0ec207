import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface StartOptions {
  readonly arguments?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** The folder of the user's sockets; one of its own without it. */
  readonly runtime?: string;
  /** A command that it is started by, in place of Node. */
  readonly under?: readonly string[];
}

export interface Application extends AsyncDisposable {
  readonly url: string;
  readonly runtime: string;
  readonly process: ChildProcess;
}

/** What an instance says of itself. */
export interface ListedInstance {
  readonly id: string;
  readonly label: string;
  readonly pid: number;
}

/** A folder that no other test has announced anything in. */
export function runtimeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'jig-'));
  chmodSync(folder, 0o700);
  return folder;
}

/** Starts one of the applications of this folder in development, and waits until it listens. */
export async function startApplication(name: string, options: StartOptions = {}): Promise<Application> {
  const runtime = options.runtime ?? runtimeFolder();
  const main = fileURLToPath(new URL(`applications/${name}.mjs`, import.meta.url));
  const [command = '', ...given] = [...(options.under ?? [process.execPath]), main, ...(options.arguments ?? [])];
  const child = spawn(command, given, {
    env: { ...process.env, NODE_ENV: 'development', XDG_RUNTIME_DIR: runtime, ...options.environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface(child.stdout);
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => /listening on (\S+)/.exec(line)?.[1] && resolve(line.slice('listening on '.length)));
    void ended.then(() => reject(new Error(`${name} has ended`)));
  });
  return {
    url,
    runtime,
    process: child,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
      // Without promises, Node 20 and 22 would no longer follow links to modules: the last file that it looked at is a socket.
      if (options.runtime === undefined) await rm(runtime, { recursive: true, force: true });
    },
  };
}

export async function instancesOf(url: string): Promise<readonly ListedInstance[]> {
  return (await (await fetch(`${url}/jig/instances.json`)).json()) as ListedInstance[];
}
