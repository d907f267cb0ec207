import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchContext } from '../suite.ts';

export interface ServerOptions {
  readonly module: URL;
  readonly arguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly nodeFlags?: readonly string[];
}

export interface Usage {
  readonly cpu: NodeJS.CpuUsage;
  /** The CPU time of the thread that runs JavaScript, in µs; of the whole process where the system does not tell threads apart. */
  readonly mainThread: number;
  readonly memory: NodeJS.MemoryUsage;
}

const reportUsage = new URL('report-usage.mjs', import.meta.url).href;
const rawServer = new URL('raw-server.mjs', import.meta.url);
const service = new URL('../../../service/dist/main.js', import.meta.url);
const startTimeout = 60_000;
const stopTimeout = 15_000;

/** A server in its own process that reports its CPU time and memory. */
export class ServerUnderTest {
  static readonly #running = new Set<ServerUnderTest>();
  readonly url: URL;
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess, url: URL) {
    this.#process = child;
    this.url = url;
    ServerUnderTest.#running.add(this);
  }

  /** Stops servers of suites that failed, which would otherwise keep the bench from ending. */
  static async stopAll(): Promise<void> {
    await Promise.all([...ServerUnderTest.#running].map((server) => server.stop()));
  }

  /** Resolves once the server has printed its `listening on` line. */
  static async start({
    module,
    arguments: args = [],
    environment = {},
    nodeFlags = [],
  }: ServerOptions): Promise<ServerUnderTest> {
    const child = spawn(
      process.execPath,
      [...nodeFlags, '--expose-gc', '--import', reportUsage, fileURLToPath(module), ...args],
      {
        env: cleanEnvironment(environment),
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      },
    );
    return new ServerUnderTest(child, new URL(await listeningAddress(child)));
  }

  /** The built service without a database, on a free port, with a new data folder. */
  static startService(context: BenchContext, options: Partial<ServerOptions> = {}): Promise<ServerUnderTest> {
    const home = mkdtempSync(join(context.folder, 'home-'));
    return ServerUnderTest.start({
      module: service,
      ...options,
      environment: { ...serviceEnvironment(home), ...options.environment },
    });
  }

  /** Raw `node:http` that sends the same bytes for every request, or the given ones in turns. */
  static startRaw(
    context: BenchContext,
    response: {
      body: string | Uint8Array | readonly Uint8Array[];
      headers?: Readonly<Record<string, string>>;
      status?: number;
    },
  ): Promise<ServerUnderTest> {
    const folder = mkdtempSync(join(context.folder, 'raw-'));
    const files = [response.body].flat().map((body, index) => {
      const file = join(folder, `body-${index}`);
      writeFileSync(file, body);
      return file;
    });
    return ServerUnderTest.start({
      module: rawServer,
      arguments: [String(response.status ?? 200), JSON.stringify(response.headers ?? {}), ...files],
    });
  }

  /** What the process has used since its start. */
  usage({ collectGarbage = false } = {}): Promise<Usage> {
    return this.ask({ ask: 'usage', collectGarbage });
  }

  /** Sends a message to the code that `--import` loaded into the process, and waits for its reply; one message at a time. */
  async ask<Reply>(message: { readonly ask: string; readonly collectGarbage?: boolean }): Promise<Reply> {
    const reply = once(this.#process, 'message') as Promise<[Reply]>;
    this.#process.send(message);
    return (await reply)[0];
  }

  async stop(): Promise<void> {
    ServerUnderTest.#running.delete(this);
    await stopProcess(this.#process);
  }
}

/** Starts them at the same time. When one fails, the others are stopped. */
export async function startServers<Kind>(
  kinds: readonly Kind[],
  start: (kind: Kind) => Promise<ServerUnderTest>,
): Promise<ServerUnderTest[]> {
  const starting = kinds.map(start);
  try {
    return await Promise.all(starting);
  } catch (failure) {
    const settled = await Promise.allSettled(starting);
    await stopServers(settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])));
    throw failure;
  }
}

export async function stopServers(servers: readonly ServerUnderTest[]): Promise<void> {
  await Promise.all(servers.map((server) => server.stop()));
}

/** Settings of a service without a database, on a free loopback port, with the given data folder. */
export function serviceEnvironment(home: string): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    PORT: '0',
    JIG_HOME: home,
    NODE_ENV: 'production',
    JIG_ADD_ONS_EXCLUDE: '@jig/embedded-database,@jig/redis-sessions',
  };
}

/** On a busy machine, requests that need a store are late rather than refused. */
export const storePatience = { JIG_SESSIONS_STORE_DEADLINE: '20s', JIG_REDIS_COMMAND_TIMEOUT: '20s' };

/** Settings in the environment of the bench must not reach what is measured. */
export function cleanEnvironment(environment: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, LANG } = process.env;
  return { PATH, HOME, TMPDIR, LANG, ...environment };
}

/** The address in the server's `listening on` line. Fails with the server's output when it ends before. */
export function listeningAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const fail = (reason: string) => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new Error(`The server ${reason}. It printed:\n${printed}`));
    };
    const timer = setTimeout(() => fail(`was not listening after ${startTimeout} ms`), startTimeout);
    const ended = () => fail('ended before it was listening');
    child.once('exit', ended);
    const look = (text: Buffer) => {
      printed += text;
      const address = /listening on (http:\/\/[^\s"]+)[\s"]/.exec(printed)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      child.off('exit', ended);
      for (const stream of [child.stdout, child.stderr]) stream?.off('data', look).resume();
      resolve(address);
    };
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', look);
  });
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeout);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(timer);
}
