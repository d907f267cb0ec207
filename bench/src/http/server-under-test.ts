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
  /** It runs nothing but its own code, and cannot be asked for its usage. */
  readonly isBare?: boolean;
}

export interface Usage {
  readonly cpu: NodeJS.CpuUsage;
  /** The CPU time of the thread that runs JavaScript, in µs; of the whole process where the system does not tell threads apart. */
  readonly mainThread: number;
  readonly memory: NodeJS.MemoryUsage;
}

const reportUsage = new URL('report-usage.mjs', import.meta.url).href;
const rawServer = new URL('raw-server.mjs', import.meta.url);
export const applicationServer = new URL('application-server.mjs', import.meta.url);
const service = new URL('../../../service/dist/main.js', import.meta.url);
const startTimeout = 60_000;
const stopTimeout = 15_000;

/** A server in its own process that reports its CPU time and memory, and that is stopped when its suite is done. */
export class ServerUnderTest {
  readonly url: URL;
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.#process = child;
    this.url = new URL(url);
  }

  /** Resolves once the server has printed its `listening on` line. */
  static async start(context: BenchContext, { module, environment = {}, isBare = false, ...options }: ServerOptions) {
    const args = [...(isBare ? [] : ['--import', reportUsage]), fileURLToPath(module), ...(options.arguments ?? [])];
    // Settings in the environment of the bench must not reach what is measured.
    const { PATH, HOME, TMPDIR, LANG } = process.env;
    const child = spawn(process.execPath, args, {
      env: { PATH, HOME, TMPDIR, LANG, ...environment },
      stdio: ['ignore', 'pipe', 'pipe', isBare ? 'ignore' : 'ipc'],
    });
    context.onClose(() => stopProcess(child));
    return new ServerUnderTest(child, await listeningAddress(child));
  }

  /** The built service without a database, on a free port, with a new data folder. */
  static startService(context: BenchContext, { environment, ...options }: Partial<ServerOptions> = {}) {
    const settings = {
      HOST: '127.0.0.1',
      PORT: '0',
      JIG_HOME: mkdtempSync(join(context.folder, 'home-')),
      NODE_ENV: 'production',
      JIG_ADD_ONS_EXCLUDE: '@jig/embedded-database,@jig/redis-sessions',
      ...environment,
    };
    return ServerUnderTest.start(context, { module: service, ...options, environment: settings });
  }

  /** Raw `node:http` that sends the same bytes for every request, or the given ones in turns. */
  static startRaw(context: BenchContext, body: string | readonly Uint8Array[], headers: Record<string, string> = {}) {
    const folder = mkdtempSync(join(context.folder, 'raw-'));
    const files = [body].flat().map((bytes, index) => {
      const file = join(folder, `body-${index}`);
      writeFileSync(file, bytes);
      return file;
    });
    return ServerUnderTest.start(context, { module: rawServer, arguments: [JSON.stringify(headers), ...files] });
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** What the process has used since its start; one call at a time. */
  async usage(): Promise<Usage> {
    const reply = once(this.#process, 'message') as Promise<[Usage]>;
    this.#process.send('usage');
    return (await reply)[0];
  }

  stop(): Promise<void> {
    return stopProcess(this.#process);
  }
}

/** The address in the server's `listening on` line. Fails with the server's output when it ends before, or takes too long. */
async function listeningAddress(child: ChildProcess): Promise<string> {
  const timer = setTimeout(() => child.kill('SIGKILL'), startTimeout);
  let printed = '';
  child.stderr?.on('data', (text) => {
    printed += text;
  });
  for await (const text of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    printed += text;
    const address = /listening on (http:\/\/[^\s"]+)[\s"]/.exec(printed)?.[1];
    if (address === undefined) continue;
    clearTimeout(timer);
    child.stdout?.resume();
    return address;
  }
  throw new Error(`The server ended before it was listening. It printed:\n${printed}`);
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeout);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(timer);
}

/** The cookie of a new session, which a posted form begins. */
export async function beginSession(url: URL, form = ''): Promise<string> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const response = await fetch(url, { method: 'POST', body: form, headers, redirect: 'manual' });
  await response.arrayBuffer();
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0];
  if (cookie === undefined) throw new Error(`${url} set no session cookie.`);
  return cookie;
}
