import { EventEmitter, once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { instancesFolder } from '@jig/bean-inspection/internal';
import { agentSource } from '../agent/agent-source.ts';
import { AttachError } from './attach-error.ts';

/** A socket that a process and its threads connect back to, in a folder that is open to this user only. */
export class Home implements Disposable {
  readonly path: string;
  readonly #server = createServer();
  /** Whoever has connected, until it is handed over. */
  readonly #sockets = new Set<Socket>();
  readonly #arrived: Socket[] = [];
  readonly #arrivals = new EventEmitter();

  constructor(pid: number) {
    // Named like instances are, so that what we leave when we are killed is removed with theirs.
    const file = `${process.pid.toString(36)}-${pid.toString(36)}-attach.sock`;
    this.path = join(instancesFolder(file), file);
    rmSync(this.path, { force: true });
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.setEncoding('utf8').on('error', () => {});
      socket.once('data', (hello) => {
        if (String(hello) !== `${pid}\n`) return;
        this.#arrived.push(socket);
        this.#arrivals.emit('arrival');
      });
    });
    this.#server.listen(this.path);
    chmodSync(this.path, 0o600);
  }

  /** The connection of the next event loop that has said hello; undefined when the signal comes first. */
  async next(signal: AbortSignal): Promise<Socket | undefined> {
    while (this.#arrived.length === 0 && !signal.aborted)
      await once(this.#arrivals, 'arrival', { signal }).catch(() => {});
    const socket = this.#arrived.shift();
    if (socket !== undefined) this.#sockets.delete(socket);
    return socket;
  }

  [Symbol.dispose](): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** What an agent says once it serves. */
export interface AgentStarted {
  readonly socket: string;
  readonly statistics: { readonly longestMs: number };
  /** How many threads of the process connect back too. */
  readonly threads: number;
}

export interface AgentRequest {
  /** What each thread evaluates to connect back. */
  readonly inThreads?: string | undefined;
  /** Gives up. */
  readonly signal?: AbortSignal | undefined;
}

/** Sends the agent to a process that has connected back, and waits until it serves. It leaves when the connection ends. */
export async function startAgent(connection: Socket, { signal, ...options }: AgentRequest): Promise<AgentStarted> {
  const leave = () => connection.destroy();
  signal?.addEventListener('abort', leave);
  try {
    signal?.throwIfAborted();
    const request = JSON.stringify({ source: agentSource(), options });
    const answer = lineFrom(connection);
    connection.write(`${request}\n`);
    const { error, ...started } = JSON.parse(await answer) as AgentStarted & { readonly error?: string };
    if (error !== undefined) throw new AttachError(`Jig could not look into the process: ${error}`);
    return started;
  } catch (error) {
    leave();
    throw signal?.aborted === true ? new AttachError('Not attached.') : error;
  } finally {
    signal?.removeEventListener('abort', leave);
  }
}

function lineFrom(connection: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    connection.on('data', (chunk) => {
      text += String(chunk);
      if (text.endsWith('\n')) resolve(text);
    });
    connection.once('close', () => reject(new AttachError('The process ended while Jig attached.')));
  });
}
