import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { jig, type ProgramOptions, Programs, type StartedProgram } from './console-on-this-machine.ts';

let programs: Programs;
beforeAll(async () => {
  programs = await Programs.create();
});
afterAll(() => programs[Symbol.asyncDispose]());

/** Other tests attach at the same time: each has a port of its own. */
const anyPort = ['--inspect-port=0'];

const start = (name: string, options: ProgramOptions = {}) =>
  programs.start(`unprepared/${name}`, { nodeFlags: anyPort, ...options });

/** `jig attach`, once it has attached. */
const attachTo = ({ pid }: { readonly pid: number }, ...args: readonly string[]) =>
  programs.startProgram(jig, { args: ['attach', String(pid), '--yes', ...args] });

/** Why `jig attach` did not attach. */
const refused = async ({ pid }: { readonly pid: number }, ...args: readonly string[]) => {
  const { code, stdout, stderr } = await programs.run('attach', String(pid), ...args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  return stderr.replace(/^jig: |\n$/g, '');
};

/** The names of the beans of a process, by thread. */
async function beansOf({ pid }: { readonly pid: number }): Promise<readonly (readonly string[])[]> {
  const { stdout } = await programs.run('list', '--json', '--beans');
  const all = JSON.parse(stdout) as { pid: number; instances: { beans: readonly string[] }[] }[];
  return (all.find((each) => each.pid === pid)?.instances ?? []).map(({ beans }) => beans);
}

const askApplication = async ({ line }: StartedProgram, path: string) =>
  (await fetch(line + path, { headers: { connection: 'close' } })).json();

/** What is announced of a process. */
function announced(pid: number): readonly { readonly thread: number; readonly socket: string }[] {
  const folder = join(programs.folder, 'jig');
  return (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
    .filter((each) => each.pid === pid);
}

/** The ports on which a process listens. */
function portsOf(pid: number): readonly number[] {
  const links = readdirSync(`/proc/${pid}/fd`).flatMap((each) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${each}`);
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && links.includes(`socket:[${inode}]`))
    .map(([, local = '']) => Number.parseInt(local.split(':')[1] ?? '', 16));
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** A program that is no application of a test. */
async function program(name: string, args: readonly string[]): Promise<{ readonly pid: number }> {
  const child = spawn(name, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(child);
  await once(child.stdout, 'data');
  return { pid: child.pid ?? 0 };
}

/** Only what hangs takes that long. */
const hang = 120_000;

const waiting = 'console.log("ready"); setInterval(() => {}, 1e6)';

describe.runIf(process.platform === 'linux')('jig attach', () => {
  describe('to an application that was not prepared', () => {
    let basket: StartedProgram;
    let before: Record<string, unknown>;
    beforeAll(async () => {
      basket = await start('basket.cjs', { nodeFlags: [...anyPort, '--expose-gc'] });
      await askApplication(basket, '/state');
      before = await askApplication(basket, '/state');
    });

    /** Nothing is as it was not before. */
    const expectUntouched = () =>
      vi.waitFor(async () => {
        expect(announced(basket.pid)).toEqual([]);
        const { heap, ...state } = await askApplication(basket, '/state');
        const { heap: heapBefore, ...stateBefore } = before as { heap: number };
        expect(state).toEqual(stateBefore);
        expect(heap - heapBefore).toBeLessThan(3.5e6);
      }, hang);

    it('shows its components, and closes its debugger at once', async () => {
      const { pid, line } = await attachTo(basket);
      expect(line).toMatch(/^Attached to process \d+, whose debugger was open for \d+ ms\.$/);
      expect(portsOf(basket.pid)).toEqual([Number(new URL(basket.line).port)]);
      expect(announced(basket.pid)).toMatchObject([{ attached: true }]);
      expect(await beansOf(basket)).toEqual([expect.arrayContaining(['express', 'basket.pool', 'basket.basket'])]);
      process.kill(pid, 'SIGINT');
      await expect.poll(() => isAlive(pid)).toBe(false);
      await expectUntouched();
    });

    it('ends its agent and closes the debugger when jig is stopped while it attaches', async () => {
      for (const ms of [150, 250, 350, 500, 700]) {
        const child = spawn(process.execPath, [jig, 'attach', String(basket.pid), '--yes'], {
          env: programs.environment,
          stdio: 'ignore',
        });
        started.push(child);
        await delay(ms);
        child.kill('SIGINT');
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
        await expectUntouched();
        expect(portsOf(basket.pid)).toHaveLength(1);
      }
    });

    it('has one agent for several jig attach, which ends with the last one', async () => {
      const jigs = await Promise.all([attachTo(basket), attachTo(basket), attachTo(basket)]);
      jigs.push(await attachTo(basket));
      expect(jigs.map(({ line }) => line.replace(/\d+/g, ''))).toEqual(
        jigs.map(() => expect.stringMatching(/^Attached to process /)),
      );
      expect(announced(basket.pid)).toHaveLength(1);
      expect(portsOf(basket.pid)).toHaveLength(1);
      const [last, ...others] = jigs;
      for (const [index, { pid }] of others.entries()) process.kill(pid, index === 0 ? 'SIGINT' : 'SIGKILL');
      await expect.poll(() => others.some(({ pid }) => isAlive(pid))).toBe(false);
      expect((await beansOf(basket))[0]).toContain('basket.pool');
      process.kill(last?.pid ?? 0, 'SIGKILL');
      await expectUntouched();
    });

    it('ends its agent and every jig attach on jig detach', async () => {
      const jigs = await Promise.all([attachTo(basket), attachTo(basket)]);
      const { code, stdout } = await programs.run('detach', String(basket.pid));
      expect({ code, stdout }).toEqual({ code: 0, stdout: `Detached from process ${basket.pid}.\n` });
      await expectUntouched();
      await expect.poll(() => jigs.some(({ pid }) => isAlive(pid))).toBe(false);
      const again = await programs.run('detach', String(basket.pid));
      expect(again).toMatchObject({ code: 1, stderr: `jig: Jig is not attached to process ${basket.pid}.\n` });
    });

    it('uses a debugger that is open already, and leaves it open', async () => {
      const free = await freePort();
      const debugged = await start('basket.cjs', { nodeFlags: [`--inspect=${free}`] });
      const { line } = await attachTo(debugged);
      expect(line).toMatch(/^Attached to process \d+\.$/);
      expect(portsOf(debugged.pid)).toContain(free);
    });
  });

  describe('asks, or refuses without a terminal,', () => {
    it('when it cannot know whether this is development', async () => {
      const basket = await start('basket.cjs');
      expect(await refused(basket)).toMatch(/^Attaching is for development: .* --yes attaches\.$/);
      const production = await start('basket.cjs', { env: { NODE_ENV: 'production' } });
      expect(await refused(production)).toMatch(/^It runs with NODE_ENV=production/);
      const development = await start('basket.cjs', { env: { NODE_ENV: 'development' } });
      const { line } = await programs.startProgram(jig, { args: ['attach', String(development.pid)] });
      expect(line).toMatch(/^Attached/);
    });
  });

  describe('sends no signal to', () => {
    it('a shell that is called node, which SIGUSR1 would end', async () => {
      const file = join(programs.folder, 'node');
      copyFileSync(realpathSync('/bin/sh'), file);
      const { pid } = await program(file, ['-c', 'echo ready; while true; do sleep 0.1; done']);
      expect(await refused({ pid }, '--yes')).toContain('It does not catch SIGUSR1');
      await delay(100);
      expect(isAlive(pid)).toBe(true);
    });

    it('a process whose port for the debugger is in use', async () => {
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const { port } = taken.address() as { port: number };
      const basket = await start('basket.cjs', { nodeFlags: [`--inspect-port=${port}`] });
      expect(await refused(basket, '--yes')).toMatch(
        new RegExp(`Port ${port}, where its debugger would open, is in use by another program\\.`),
      );
      taken.close();
    });

    it('a process whose debugger would open to other machines, or that is stopped', async () => {
      const open = await start('basket.cjs', { nodeFlags: [], env: { NODE_OPTIONS: '"--inspect-port" "0.0.0.0:0"' } });
      expect(await refused(open, '--yes')).toContain('would open on 0.0.0.0, for other machines too');
      const stopped = await start('basket.cjs');
      process.kill(stopped.pid, 'SIGSTOP');
      expect(await refused(stopped, '--yes')).toContain(`kill -CONT ${stopped.pid}`);
      process.kill(stopped.pid, 'SIGCONT');
      expect(portsOf(stopped.pid)).toHaveLength(1);
    });

    it('a process that does not exist', async () => {
      expect(await refused({ pid: 2 ** 22 + 1 }, '--yes')).toBe(`There is no process ${2 ** 22 + 1}.`);
      expect((await programs.run('attach', 'shop')).code).toBe(2);
    });
  });

  it('closes a debugger that opened to other machines, and loads nothing', async () => {
    // The title hides the command line, which wins over the environment.
    const hidden = `process.title = 'shop'; ${waiting}`;
    const shop = spawn(process.execPath, ['--inspect-port=0.0.0.0:0', '-e', hidden], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, NODE_OPTIONS: '--inspect-port=127.0.0.1:0' },
    });
    started.push(shop);
    await once(shop.stdout, 'data');
    const pid = shop.pid ?? 0;
    expect(await refused({ pid }, '--yes')).toMatch(
      /^The debugger of process \d+ opened on 0\.0\.0\.0:\d+, for other machines too, and was closed\.$/,
    );
    await expect.poll(() => portsOf(pid)).toEqual([]);
    expect(announced(pid)).toEqual([]);
    expect(isAlive(pid)).toBe(true);
  });

  it('reports a process that handles SIGUSR1 itself, and does not disturb it', async () => {
    const { pid } = await program(process.execPath, [...anyPort, '-e', `process.on('SIGUSR1', () => {}); ${waiting}`]);
    const sentence = await refused({ pid }, '--yes');
    expect(sentence).toMatch(/^Process \d+ was sent SIGUSR1 and has not opened its debugger within 4\.5 s: it handles/);
    expect(sentence).toContain('the signal stays pending');
    expect(isAlive(pid)).toBe(true);
  });

  it('reports a blocked event loop, closes the debugger, and loads nothing', async () => {
    const basket = await start('basket.cjs');
    // However long jig takes to start on a busy machine, it must not find the loop free again.
    const until = join(programs.folder, `until-${basket.pid}`);
    await askApplication(basket, `/block?until=${encodeURIComponent(until)}`);
    const sentence = await refused(basket, '--yes').finally(() => writeFileSync(until, ''));
    expect(sentence).toMatch(
      /^The event loop of process \d+ has been blocked for 4\.5 s\. Its debugger is closed again/,
    );
    expect(portsOf(basket.pid)).toHaveLength(1);
    expect(await askApplication(basket, '/basket')).toEqual([['kettle', 1]]);
    expect(announced(basket.pid)).toEqual([]);
    expect(portsOf(basket.pid)).toHaveLength(1);
    expect((await attachTo(basket)).line).toMatch(/^Attached/);
  });

  it('reports a blocked event loop on jig detach, and detaches once it is free', async () => {
    const basket = await start('basket.cjs');
    await attachTo(basket);
    const until = join(programs.folder, `until-${basket.pid}`);
    await askApplication(basket, `/block?until=${encodeURIComponent(until)}`);
    const detached = programs.run('detach', String(basket.pid)).finally(() => writeFileSync(until, ''));
    expect((await detached).stderr).toMatch(
      /^jig: The event loop of process \d+ has been blocked for 4\.5 s\. Jig leaves/,
    );
    await expect.poll(() => announced(basket.pid)).toEqual([]);
  });

  it('shows objects that only exports of ES modules, timers, promises and libraries lead to', async () => {
    const application = await start('kept.mjs');
    await attachTo(application);
    const names = ['stores.shop', 'kept', 'Clock', 'Warehouse', 'ws.WebSocketServer'];
    expect(await beansOf(application)).toEqual([expect.arrayContaining(names)]);
  });

  it('shows the variables of each of many equal modules', async () => {
    const folder = mkdtempSync(join(programs.folder, 'alike-'));
    const numbers = Array.from({ length: 200 }, (_, index) => index);
    const source =
      'class Store { items = new Map(); }\nconst store = new Store();\nexports.add = (key) => store.items.set(key, 1);\n';
    for (const number of numbers) writeFileSync(join(folder, `m${number}.cjs`), source);
    const main = join(folder, 'main.cjs');
    writeFileSync(main, `for (let i = 0; i < ${numbers.length}; i++) require('./m' + i + '.cjs'); ${waiting}`);
    const application = await programs.startProgram(main, { nodeFlags: anyPort });
    await attachTo(application);
    expect(await beansOf(application)).toEqual([expect.arrayContaining(numbers.map((number) => `m${number}.store`))]);
  });

  it('attaches to worker threads too, and detaches from them', async () => {
    const application = await start('threads.mjs');
    const { pid } = await attachTo(application);
    const [main, thread] = await beansOf(application);
    expect(main).not.toContain('threads.threadJobs');
    expect(thread).toContain('threads.threadJobs');
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => announced(application.pid)).toEqual([]);
    process.kill(application.pid, 'SIGTERM');
    await expect.poll(() => isAlive(application.pid)).toBe(false);
  });

  it('leaves no debugger open in the workers of a cluster', async () => {
    const port = await freePort();
    const cluster = await start('workers.cjs', { nodeFlags: [`--inspect-port=${port}`] });
    const workers = JSON.parse(cluster.line) as number[];
    await attachTo(cluster);
    await delay(1000);
    expect([cluster.pid, ...workers].flatMap(portsOf)).not.toContain(port);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
