import { ServerClock } from '@jig/sessions/internal';
import { createClient } from '@redis/client';
import type { Credentials, HostAndPort } from './redis-address.ts';

export type RedisCommand = [name: string, ...values: string[]];

/** Creates a command just before it is sent, with the clock of its server; throws after the deadline. */
export type TimedCommand = (clock: ServerClock) => RedisCommand;

/** How many replicas must have a write, and how many milliseconds to wait for them. */
export interface WaitForReplicas {
  readonly replicas: number;
  readonly timeout: number;
}

/** What the client of a single server and that of a node in a cluster have in common. */
interface NodeClient {
  sendCommand(command: RedisCommand): Promise<unknown>;
  on(event: 'ready', listener: () => void): unknown;
}

/** One server: its connection, its clock, and its replicas. */
export class RedisNode {
  readonly #client: NodeClient;
  readonly #wait: WaitForReplicas;
  #clock = new ServerClock();
  #pendingWait: Promise<unknown> | undefined;

  constructor(client: NodeClient, wait: WaitForReplicas) {
    this.#client = client;
    this.#wait = wait;
    // After a reconnection it may be another server.
    client.on('ready', () => {
      this.#clock = new ServerClock();
    });
  }

  /** The reply is in RESP 2: strings, numbers, and lists of them. */
  send(command: RedisCommand): Promise<unknown> {
    return this.#client.sendCommand(command);
  }

  /** Asks the server for its time unless it is known; must be awaited before a write. */
  async readClock(): Promise<void> {
    while (!this.#clock.isKnown) {
      const [clock, asked] = [this.#clock, performance.now()];
      const [seconds, microseconds] = (await this.send(['TIME'])) as [string, string];
      clock.learn(Number(seconds) * 1000 + Number(microseconds) / 1000, asked, performance.now());
    }
  }

  /** If the reply is a list, its first item is the server's time. Also returns how many replicas have the write. */
  async write(
    command: TimedCommand,
    before: readonly RedisCommand[] = [],
  ): Promise<[reply: unknown, replicas: number]> {
    const [clock, sent] = [this.#clock, performance.now()];
    const made = command(clock);
    for (const each of before) this.send(each).catch(() => {});
    const [reply, replicas] = await Promise.all([this.send(made), this.#replicas()]);
    if (Array.isArray(reply)) clock.learn(Number(reply[0]), sent, performance.now());
    return [reply, Number(replicas)];
  }

  /** `WAIT` blocks the connection, so writes of the same turn of the event loop share one. */
  #replicas(): unknown {
    const { replicas, timeout } = this.#wait;
    if (replicas === 0) return 0;
    this.#pendingWait ??= new Promise(setImmediate).then(() => {
      this.#pendingWait = undefined;
      return this.send(['WAIT', String(replicas), String(timeout)]);
    });
    return this.#pendingWait;
  }
}

const maximumReconnectDelay = 1000;

export const reconnectDelay = (retries: number) => Math.min(25 * 2 ** Math.min(retries, 10), maximumReconnectDelay);

/** Options of all connections. While disconnected, commands fail at once and are not repeated; timeouts are ours. */
export const clientOptions = {
  name: 'jig',
  disableOfflineQueue: true,
  maintNotifications: 'disabled',
  commandOptions: { timeout: 0 },
} as const;

/** The client's types do not allow `tls: false`. */
export const tlsOption = (tls: boolean) => (tls ? ({ tls: true } as const) : {});

interface ClientOptions {
  readonly host: HostAndPort;
  readonly tls: boolean;
  readonly credentials: Credentials;
  readonly database: number;
  readonly connectTimeout: number;
  /** Without an answer for so many milliseconds, the connection is considered lost. */
  readonly socketTimeout: number;
  readonly RESP?: 2 | 3;
}

/** A client of one server. The first connection is attempted once; a lost one is retried forever. */
export function makeClient({
  host,
  tls,
  credentials,
  database,
  connectTimeout,
  socketTimeout,
  RESP = 2,
}: ClientOptions) {
  let wasReady = false;
  const client = createClient({
    ...clientOptions,
    ...credentials,
    RESP,
    database,
    pingInterval: socketTimeout / 4,
    socket: {
      ...host,
      ...tlsOption(tls),
      connectTimeout,
      socketTimeout,
      reconnectStrategy: (retries: number, cause: Error) => (wasReady ? reconnectDelay(retries) : cause),
    },
  });
  client.on('ready', () => {
    wasReady = true;
  });
  return client;
}
