import { ServerClock } from '@jig/sessions/internal';
import { createClient } from '@redis/client';
import type { Credentials, HostAndPort } from './redis-address.ts';

export type RedisCommand = [name: string, ...values: string[]];

/** A command that is made when it is sent, by the clock of the server that gets it; throws when it is too late. */
export type TimedCommand = (clock: ServerClock) => RedisCommand;

/** How many replicas must have a write, and for how many milliseconds that is waited for. */
export interface WaitForReplicas {
  readonly replicas: number;
  readonly timeout: number;
}

/** The part of a client that is used of one in a cluster, too. */
interface NodeClient {
  sendCommand(command: RedisCommand): Promise<unknown>;
  on(event: 'ready', listener: () => void): unknown;
}

/** One server: a connection to it, what its clock shows, and whether its replicas keep up. */
export class RedisNode {
  readonly #client: NodeClient;
  readonly #wait: WaitForReplicas;
  #clock = new ServerClock();
  #acknowledged: Promise<unknown> | undefined;

  constructor(client: NodeClient, wait: WaitForReplicas) {
    this.#client = client;
    this.#wait = wait;
    // It may be another server now.
    client.on('ready', () => {
      this.#clock = new ServerClock();
    });
  }

  /** The reply is in RESP 2: strings, numbers, and lists of them. */
  send(command: RedisCommand): Promise<unknown> {
    return this.#client.sendCommand(command);
  }

  /** To be awaited before a write, which is then sent at once. */
  async knowsTime(): Promise<void> {
    while (!this.#clock.isKnown) {
      const [clock, asked] = [this.#clock, performance.now()];
      const [seconds, microseconds] = (await this.send(['TIME'])) as [string, string];
      clock.learn(Number(seconds) * 1000 + Number(microseconds) / 1000, asked, performance.now());
    }
  }

  /** A reply that is a list begins with the time. Also gives how many replicas have the write. */
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

  /** Redis answers nothing else on this connection while it waits, so what is written in one turn of the event loop shares a wait. */
  #replicas(): unknown {
    const { replicas, timeout } = this.#wait;
    if (replicas === 0) return 0;
    this.#acknowledged ??= new Promise(setImmediate).then(() => {
      this.#acknowledged = undefined;
      return this.send(['WAIT', String(replicas), String(timeout)]);
    });
    return this.#acknowledged;
  }
}

const maximumReconnectDelay = 1000;

export const reconnectDelay = (retries: number) => Math.min(25 * 2 ** Math.min(retries, 10), maximumReconnectDelay);

/** What all connections have in common. Commands fail at once while disconnected, and are never repeated later; time-outs are our own. */
export const clientOptions = {
  name: 'jig',
  disableOfflineQueue: true,
  maintNotifications: 'disabled',
  commandOptions: { timeout: 0 },
} as const;

/** `tls: false` and no `tls` are the same to the client, but not to its types. */
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

/** A client of one server. The first connection is tried once; a lost one is retried without end. */
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
