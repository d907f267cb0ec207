import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A real Redis on the loopback, with nothing in it and nothing on disk. */
export class RedisServer {
  readonly port: number;
  readonly #flags: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(port: number, flags: readonly string[]) {
    this.port = port;
    this.#flags = flags;
  }

  static async start(...flags: string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), flags);
    await server.restart();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}/0`;
  }

  /** Runs it again on the same port, empty. */
  async restart(): Promise<void> {
    const place = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.#process = spawn('redis-server', [...place, ...this.#flags], { stdio: 'ignore', cwd: '/tmp' });
    for (let tries = 0; !(await this.#answers()); tries++) {
      if (tries > 500) throw new Error('redis-server did not start');
      await sleep(20);
    }
  }

  signal(name: NodeJS.Signals): void {
    this.#process?.kill(name);
  }

  async stop(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async #answers(): Promise<boolean> {
    const socket = connect(this.port, '127.0.0.1');
    const answered = await Promise.race([once(socket, 'connect'), once(socket, 'error')]).then(
      () => true,
      () => false,
    );
    socket.destroy();
    return answered;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
