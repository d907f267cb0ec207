import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { instancesFolder } from '@jig/bean-inspection/internal';
import { agentSource } from '../agent/agent-source.ts';
import { AttachError, blocked } from './attach-error.ts';

/** A socket that one process connects back to, in a folder that is open to this user only. */
export class Home implements Disposable {
  readonly path: string;
  readonly #pid: number;
  readonly #server = createServer();
  /** Whoever has connected and has not said hello. */
  readonly #strangers = new Set<Socket>();
  readonly #arrived: Promise<Socket>;

  constructor(pid: number) {
    // Named like instances are, so that what we leave when we are killed is removed with theirs.
    const file = `${process.pid.toString(36)}-${pid.toString(36)}-attach.sock`;
    this.path = join(instancesFolder(file), file);
    this.#pid = pid;
    rmSync(this.path, { force: true });
    this.#arrived = new Promise((resolve) => {
      this.#server.on('connection', (socket) => {
        this.#strangers.add(socket);
        socket.setEncoding('utf8').on('error', () => {});
        socket.once('data', (hello) => {
          if (String(hello) !== `${pid}\n`) return;
          this.#strangers.delete(socket);
          resolve(socket);
        });
      });
    });
    this.#server.listen(this.path);
    chmodSync(this.path, 0o600);
  }

  /** The connection of the process, once its event loop has said hello. */
  async connection(signal: AbortSignal): Promise<Socket> {
    const timeout = new Promise<undefined>((resolve) => {
      if (signal.aborted) resolve(undefined);
      signal.addEventListener('abort', () => resolve(undefined));
    });
    const socket = await Promise.race([this.#arrived, timeout]);
    if (socket === undefined) throw blocked(this.#pid, 'Its debugger is closed again, and nothing was loaded.');
    return socket;
  }

  [Symbol.dispose](): void {
    this.#server.close();
    for (const socket of this.#strangers) socket.destroy();
  }
}

/** What an agent says once it serves. */
export interface AgentStarted {
  readonly socket: string;
  readonly statistics: { readonly longestMs: number };
}

export interface AgentRequest {
  readonly heap: boolean;
  /** Gives up. */
  readonly signal?: AbortSignal | undefined;
}

/** Sends the agent to a process that has connected back, and waits until it serves. It leaves when the connection ends. */
export async function startAgent(connection: Socket, { heap, signal }: AgentRequest): Promise<AgentStarted> {
  const leave = () => connection.destroy();
  signal?.addEventListener('abort', leave);
  if (signal?.aborted === true) leave();
  const answer = new Promise<string>((resolve, reject) => {
    let text = '';
    connection.on('data', (chunk) => {
      text += String(chunk);
      if (text.endsWith('\n')) resolve(text);
    });
    const reason = () => (signal?.aborted === true ? 'Not attached.' : 'The process ended while Jig attached.');
    connection.once('close', () => reject(new AttachError(reason())));
  });
  connection.write(`${JSON.stringify({ source: agentSource(), options: { heap } })}\n`);
  const { error, ...started } = JSON.parse(await answer) as AgentStarted & { readonly error?: string };
  signal?.removeEventListener('abort', leave);
  if (error === undefined) return started;
  leave();
  throw new AttachError(`Jig could not look into the process: ${error}`);
}
