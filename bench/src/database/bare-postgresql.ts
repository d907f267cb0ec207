import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** PostgreSQL without the supervisor, started with the program, arguments and environment of a running server. */
export class BarePostgresql {
  readonly #program: string;
  readonly #arguments: readonly string[];
  readonly #options: { env: NodeJS.ProcessEnv; uid: number; gid: number };
  readonly #dataFolder: string;

  private constructor(program: string, args: readonly string[], environment: NodeJS.ProcessEnv, dataFolder: string) {
    const { uid, gid } = statSync(dataFolder);
    this.#program = program;
    this.#arguments = args;
    this.#options = { env: environment, uid, gid };
    this.#dataFolder = dataFolder;
  }

  static fromProcess(pid: number): BarePostgresql {
    const words = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').filter(Boolean);
    const [program = '', ...args] = words('cmdline');
    const environment = Object.fromEntries(words('environ').map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
    return new BarePostgresql(program, args, environment, args[args.indexOf('-D') + 1] ?? '');
  }

  /** The milliseconds from its start until its pid file says that it is ready. */
  async start(dataFolder = this.#dataFolder): Promise<number> {
    const args = this.#arguments.map((argument) => (argument === this.#dataFolder ? dataFolder : argument));
    const began = performance.now();
    const child = spawn(this.#program, args, { ...this.#options, stdio: 'ignore' });
    while (!isReady(dataFolder, child.pid)) {
      if (child.exitCode !== null) throw new Error('The bare PostgreSQL did not start.');
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const taken = performance.now() - began;
    child.kill('SIGINT');
    await once(child, 'exit');
    return taken;
  }

  /** The milliseconds of `initdb` and of the first start. */
  async initializeAndStart(folder: string): Promise<number> {
    const dataFolder = mkdtempSync(join(folder, 'bare-'));
    chownSync(dataFolder, this.#options.uid, this.#options.gid);
    const initdb = join(dirname(this.#program), 'initdb');
    const began = performance.now();
    const initialized = spawnSync(
      initdb,
      ['-D', dataFolder, '--encoding=UTF8', '--locale=C', '--auth=trust'],
      this.#options,
    );
    if (initialized.status !== 0) throw new Error(`initdb failed: ${initialized.stderr.toString()}`);
    const taken = performance.now() - began;
    return taken + (await this.start(dataFolder));
  }
}

/** Line 1 of the pid file is the process, line 8 its state. */
function isReady(dataFolder: string, pid: number | undefined): boolean {
  try {
    const lines = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}
