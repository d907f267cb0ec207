import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { stopProcess } from '../http/server-under-test.ts';

export interface RunningRedis {
  readonly url: string;
  stop(): Promise<void>;
}

/** A Redis with nothing on disk; undefined where none is installed. */
export async function startRedis(): Promise<RunningRedis | undefined> {
  if (spawnSync('redis-server', ['--version']).status !== 0) return undefined;
  const port = await freePort();
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child: ChildProcess = spawn('redis-server', place, { stdio: 'ignore' });
  while (!(await answers(port))) if (child.exitCode !== null) throw new Error('redis-server did not start.');
  return { url: `redis://127.0.0.1:${port}/0`, stop: () => stopProcess(child) };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return false;
  } finally {
    socket.destroy();
  }
}
