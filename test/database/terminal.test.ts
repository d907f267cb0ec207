import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder, processesWith } from './temporary-folder.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const bin = here('../../packages/embedded-database/bin/jig-database.js');
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const ctrlC = '\x03';

/** `script` gives a program a terminal: what is written to it is typed, and the terminal is closed when it is killed. */
class Terminal {
  readonly #script: ChildProcess;
  #output = '';

  constructor(script: ChildProcess) {
    this.#script = script;
    script.stdout?.on('data', (chunk: Buffer) => {
      this.#output += chunk.toString();
    });
  }

  /** Gives what the pattern matches. */
  async shows(pattern: RegExp): Promise<string> {
    await expect.poll(() => this.#output).toMatch(pattern);
    return pattern.exec(this.#output)?.[0] ?? '';
  }

  type(text: string): void {
    this.#script.stdin?.write(text);
  }

  /** With the exit code of the program. */
  async ended(): Promise<number | null> {
    if (this.#script.exitCode === null) await once(this.#script, 'exit');
    return this.#script.exitCode;
  }

  close(): void {
    this.#script.kill('SIGKILL');
  }
}

describe.runIf(process.platform === 'linux')('at a terminal', () => {
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  let terminals: Terminal[] = [];

  beforeAll(async () => {
    folder = await makeTemporaryFolder();
  });

  afterEach(() => {
    for (const terminal of terminals) terminal.close();
    terminals = [];
  });

  afterAll(() => folder.remove());

  function run(args: readonly string[], cwd = '/'): Terminal {
    const quoted = [process.execPath, ...args].map((arg) => `'${arg.replaceAll("'", `'\\''`)}'`).join(' ');
    const env = { PATH: process.env.PATH, SHELL: '/bin/sh', TERM: 'dumb', TMPDIR: folder.path };
    const script = spawn('script', ['--quiet', '--return', '--command', `exec ${quoted}`, '/dev/null'], { cwd, env });
    const terminal = new Terminal(script);
    terminals.push(terminal);
    return terminal;
  }

  /** Our programs by the `TMPDIR` in their environment, the servers by their command lines. */
  function processes(): readonly number[] {
    const ours = readdirSync('/proc').filter(
      (entry) => /^\d+$/.test(entry) && environmentOf(entry).includes(folder.path),
    );
    return [...ours.map(Number), ...processesWith(folder.path)];
  }

  async function expectNothingLeft(): Promise<void> {
    await expect.poll(processes, { interval: 150 }).toEqual([]);
    expect(await folder.databases()).toEqual([]);
  }

  describe('jig-database', () => {
    it('stops in order by Ctrl-C', async () => {
      const terminal = run([bin]);
      await terminal.shows(/postgresql:\/\/\S+/);
      terminal.type(ctrlC);
      expect(await terminal.ended()).toBe(0);
      await expectNothingLeft();
    });

    it('ends at once by a second Ctrl-C while it stops', async () => {
      const terminal = run([bin]);
      const url = await terminal.shows(/postgresql:\/\/\S+/);
      // The stop waits for clients to leave.
      const client = new pg.Client(url);
      client.on('error', () => {});
      await client.connect();
      terminal.type(ctrlC);
      await expect.poll(() => canConnect(url), { interval: 10 }).toBe(false);
      terminal.type(ctrlC);
      expect(await terminal.ended()).toBe(130);
      await expectNothingLeft();
      await client.end().catch(() => {});
    });

    it('leaves Ctrl-C to its command, which gets each signal once', async () => {
      const count = `trap 'n=$((n + 1)); echo "interrupted $n"' INT; echo begun; while ! read -r _; do :; done; exit $n`;
      const terminal = run([bin, '--', 'sh', '-c', count]);
      await terminal.shows(/begun/);
      terminal.type(ctrlC);
      await terminal.shows(/interrupted 1/);
      terminal.type(ctrlC);
      await terminal.shows(/interrupted 2/);
      terminal.type('\n');
      expect(await terminal.ended()).toBe(2);
      await expectNothingLeft();
    });

    it.each([
      ['alone', [bin], /postgresql:\/\/\S+/],
      ['with its command', [bin, '--', 'sh', '-c', 'echo begun; while :; do sleep 0.05; done'], /begun/],
    ])('stops %s when the terminal is closed', async (_how, args, said) => {
      const terminal = run(args);
      await terminal.shows(said);
      terminal.close();
      await expectNothingLeft();
    });
  });

  describe('a run of vitest', () => {
    it.each([
      ['Ctrl-C', async (terminal: Terminal) => terminal.type(ctrlC)],
      [
        'Ctrl-C twice',
        async (terminal: Terminal) => {
          terminal.type(ctrlC);
          terminal.type(ctrlC);
        },
      ],
      ['a closed terminal', async (terminal: Terminal) => terminal.close()],
    ])('leaves no server after %s, and no folder after the next start', async (_how, interrupt) => {
      const terminal = run([vitest, 'run'], here('fixtures/vitest-waiting'));
      await terminal.shows(/waiting/);
      await interrupt(terminal);
      await expect.poll(processes, { interval: 150 }).toEqual([]);
      const env = { PATH: process.env.PATH, TMPDIR: folder.path };
      await promisify(execFile)(process.execPath, [here('fixtures/ask-once.mjs')], { env });
      await expectNothingLeft();
    });
  });
});

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
