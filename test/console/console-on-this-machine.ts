import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const jig = fileURLToPath(new URL('../../packages/console/bin/jig.js', import.meta.url));
const fixtures = fileURLToPath(new URL('fixtures/', import.meta.url));

export interface StartedProgram {
  readonly pid: number;
  /** The first line that it printed. */
  readonly line: string;
  /** All that it has printed so far. */
  output(): string;
}

export interface EndedProgram {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly nodeFlags?: readonly string[];
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly uid?: number;
  readonly env?: NodeJS.ProcessEnv;
}

/** Programs whose instances are announced in a folder of their own, where no other test sees them. */
export class Programs implements AsyncDisposable {
  readonly folder: string;
  readonly #running = new Set<ChildProcess>();

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<Programs> {
    const folder = await mkdtemp(join(tmpdir(), 'jc-'));
    await mkdir(join(folder, 'data'));
    return new Programs(folder);
  }

  get environment(): NodeJS.ProcessEnv {
    const { PATH, HOME } = process.env;
    return { PATH, HOME, XDG_RUNTIME_DIR: this.folder, TMPDIR: this.folder };
  }

  /** Starts an application of the folder `fixtures`. */
  start(name: string, options: ProgramOptions = {}): Promise<StartedProgram> {
    return this.startProgram(join(fixtures, name), options);
  }

  /** Starts `jig` with some arguments; gives the address in its first line. */
  async startConsole(...args: readonly string[]): Promise<StartedProgram & { readonly address: string }> {
    const started = await this.startProgram(jig, { args });
    return { ...started, address: /http:\S+/.exec(started.line)?.[0] ?? '' };
  }

  async startProgram(file: string, options: ProgramOptions): Promise<StartedProgram> {
    const child = this.#spawn(file, options);
    child.stderr.pipe(process.stderr);
    const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${file} ended with ${code}`)));
    ended.catch(() => {});
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
    return { pid: child.pid ?? 0, line, output: () => output };
  }

  /** Runs `jig` to its end. */
  async run(...args: readonly string[]): Promise<EndedProgram> {
    const child = this.#spawn(jig, { args });
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        texts[name] += text;
      });
    const [code] = await once(child, 'close');
    return { code, ...texts };
  }

  #spawn(file: string, { args = [], nodeFlags = [], cwd = fixtures, uid, env = {} }: ProgramOptions) {
    const child = spawn(process.execPath, [...nodeFlags, file, ...args], {
      cwd,
      env: { ...this.environment, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
    this.#running.add(child);
    child.once('exit', () => this.#running.delete(child));
    return child;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      [...this.#running].map(async (child) => {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      }),
    );
    await rm(this.folder, { recursive: true, force: true });
  }
}
