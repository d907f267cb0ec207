import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';

/** Another server to try, such as Valkey's, by its path. */
const { REDIS_SERVER: program = 'redis-server' } = process.env;

/** Undefined when there is no such program. */
export const redisVersion = (): string | undefined =>
  / v=(\S+)/.exec(String(spawnSync(program, ['--version']).stdout))?.[1];

/** A real Redis on the loopback, with nothing in it and nothing on disk. */
export class RedisServer {
  readonly port: number;
  readonly #flags: readonly string[];
  #process: ChildProcess | undefined;
  #isFrozen = false;
  #client: ReturnType<typeof makeClient> | undefined;
  #connecting: Promise<unknown> | undefined;
  /** Of its own, since replicas write what they get into it. */
  #folder: string | undefined;

  private constructor(port: number, flags: readonly string[]) {
    this.port = port;
    this.#flags = flags;
  }

  /** On another port when somebody takes the one that was free a moment ago. */
  static async start(...flags: string[]): Promise<RedisServer> {
    // Otherwise it is ten thousand above, where a connection may have it.
    const needsBus = flags.includes('--cluster-enabled') && !flags.includes('--cluster-port');
    for (;;) {
      const [port = 0, busPort = 0] = await freePorts(2);
      const server = new RedisServer(port, [...flags, ...(needsBus ? ['--cluster-port', String(busPort)] : [])]);
      try {
        await server.restart();
        return server;
      } catch (error) {
        await server.stop();
        if (!String(error).includes('Address already in use')) throw error;
      }
    }
  }

  /** A sentinel, by a file that it rewrites. */
  static async startSentinel(file: string): Promise<RedisServer> {
    return RedisServer.start(file, '--sentinel');
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}/0`;
  }

  /** Runs it again on the same port, empty. */
  async restart(): Promise<void> {
    const place = ['--port', String(this.port), '--bind', '127.0.0.1'];
    const isSentinel = this.#flags.includes('--sentinel');
    // The file of a sentinel comes first, and it knows no persistence.
    const flags = isSentinel
      ? [...this.#flags, ...place]
      : [...place, '--save', '', '--appendonly', 'no', ...this.#flags];
    this.#folder ??= await mkdtemp(join(tmpdir(), 'jig-redis-'));
    this.#process = spawn(program, flags, { stdio: ['ignore', 'pipe', 'ignore'], cwd: this.#folder });
    await listening(this.#process);
  }

  signal(name: NodeJS.Signals): void {
    this.#isFrozen = name === 'SIGSTOP';
    this.#process?.kill(name);
  }

  /** Neither ended nor frozen. */
  get isRunning(): boolean {
    return this.#isAlive && !this.#isFrozen;
  }

  get #isAlive(): boolean {
    return this.#process !== undefined && this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Runs commands one after the other, each as words, and gives the replies. */
  async commands(...commands: string[][]): Promise<unknown[]> {
    return this.connected(async (send) => {
      const replies: unknown[] = [];
      for (const command of commands) replies.push(await send(command));
      return replies;
    });
  }

  /** Does something with one connection, which all others have too. */
  async connected<Result>(work: (send: (command: string[]) => Promise<unknown>) => Promise<Result>): Promise<Result> {
    if (this.#client?.isOpen !== true) {
      this.#client = makeClient(this.port);
      this.#connecting = this.#client.connect();
    }
    const client = this.#client;
    await this.#connecting;
    return work((command) => client.sendCommand(command));
  }

  /** A field of the reply to INFO, CLUSTER INFO and the like; undefined when it is not there. */
  async info(field: string, ...command: string[]): Promise<string | undefined> {
    const [text] = await this.commands(command);
    return new RegExp(`^${field}:(.*?)\\r?$`, 'm').exec(String(text))?.[1];
  }

  async stop(): Promise<void> {
    if (this.#client?.isOpen) this.#client.destroy();
    const child = this.#process;
    if (child !== undefined && this.#isAlive) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }
}

const startTimeout = 10_000;

/** Until it says that it listens: whether its port answers would not tell, since that may be another server. */
async function listening({ stdout }: { readonly stdout: Readable | null }): Promise<void> {
  let output = '';
  const said = new Promise<boolean>((resolve) => {
    stdout?.on('data', (text) => {
      output += text;
      if (/Ready to accept connections|Sentinel ID is/.test(output)) resolve(true);
    });
    stdout?.on('close', () => resolve(false));
  });
  if (!(await Promise.race([said, sleep(startTimeout, false, { ref: false })])))
    throw new Error(`${program} did not start: ${output}`);
}

function makeClient(port: number) {
  // A frozen server takes connections and says nothing.
  const socket = { host: '127.0.0.1', port, connectTimeout: 10_000, socketTimeout: 10_000 };
  const client = createClient({
    RESP: 2,
    disableOfflineQueue: true,
    // So that it does not count as frozen while nobody asks it.
    pingInterval: 3000,
    socket: { ...socket, reconnectStrategy: false },
  });
  client.on('error', () => {});
  return client;
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

/** Different ones: each is held until all are found. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listen));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/** Ports of this process: others that look for free ones at the same time look elsewhere, as far as there are enough. */
const portsEach = 100;
const firstPort = 12_000 + (process.pid % 200) * portsEach;
let portsTried = 0;

/** On a port below those that the system gives to connections, one of which could have it when the real server starts. */
async function listen(): Promise<Server> {
  for (;;) {
    const server = createServer().listen(firstPort + (portsTried++ % portsEach), '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (isFree) return server;
  }
}

/** Waits until all servers say so; only what hangs takes that long. */
export async function until(condition: () => Promise<boolean>, sentence: string): Promise<void> {
  const end = Date.now() + 300_000;
  while (!(await condition().catch(() => false))) {
    if (Date.now() > end) throw new Error(`It did not happen in five minutes that ${sentence}.`);
    await sleep(50);
  }
}
