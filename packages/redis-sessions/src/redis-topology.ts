import type { ServerClock } from '@jig/sessions/internal';
import { createClient } from '@redis/client';
import type { Credentials, HostAndPort, RedisAddress } from './redis-address.ts';

export type RedisCommand = [name: string, ...values: string[]];

/** A command that is made when it is sent, by the clock of the server that gets it; throws when it is too late. */
export type TimedCommand = (clock: ServerClock) => RedisCommand;

/** A node that takes writes. */
export interface RedisPrimary {
  readonly address: string;
  readonly send: (command: RedisCommand) => Promise<unknown>;
}

/** How many replicas must have a write, and for how many milliseconds that is waited for. */
export interface WaitForReplicas {
  readonly replicas: number;
  readonly timeout: number;
}

/** The reply to a write, and how many replicas have it. */
export interface AcknowledgedReply {
  readonly reply: unknown;
  readonly replicas: number;
}

/** The servers behind one address, by the client library: one Redis, the primary that sentinels name, or the nodes of a cluster. */
export interface RedisTopology {
  readonly isOpen: boolean;
  /** Whether commands may be sent; while a single node of a cluster is away, they may. */
  readonly isReady: boolean;
  /** Tries once, so that a wrong address shows at the start. */
  connect(): Promise<void>;
  destroy(): void;
  /** To the primary that has the key, if one is given. The reply is in RESP 2: strings, numbers, and lists of them. */
  send(command: RedisCommand, key?: string): Promise<unknown>;
  /** Sends, and then waits for replicas on the same connection if any must have it; writes that come together share a wait. */
  write(command: TimedCommand, key: string): Promise<AcknowledgedReply>;
  primaries(): readonly RedisPrimary[];
  /** Tells that a command could not be sent, or was not answered in time. */
  suspect?(): void;
}

export interface TopologyOptions {
  readonly address: RedisAddress;
  /** In milliseconds. */
  readonly connectTimeout: number;
  /** What `write` waits for. */
  readonly wait: WaitForReplicas;
  readonly events: TopologyEvents;
}

/** What a topology tells of its nodes, by their addresses. */
export interface TopologyEvents {
  /** Also when it is still away. */
  away(node: string, reason: unknown): void;
  /** Also when it was never away. */
  back(node: string): void;
  /** It is no longer one of those that are asked. */
  replaced(node: string): void;
}

/** Without an answer for this long, a connection is considered lost. */
export const idleTimeout = 15_000;
const maximumReconnectDelay = 1000;

export const reconnectDelay = (retries: number) => Math.min(25 * 2 ** Math.min(retries, 10), maximumReconnectDelay);

/**
 * The client makes a class with hundreds of commands for each configuration that differs from the last, which it compares by its JSON.
 * That takes it 40 ms of CPU, for each host anew; those of one kind can share a class.
 */
export const sharedClass = { toJSON: () => 'jig' };

/** What all connections have in common. Commands fail at once while disconnected, and are never repeated later. */
export const clientOptions = {
  name: 'jig',
  RESP: 2,
  disableOfflineQueue: true,
  maintNotifications: 'disabled',
} as const;

/** `tls: false` and no `tls` are the same to the client, but not to its types. */
export const tlsOption = (tls: boolean) => (tls ? ({ tls: true } as const) : {});

/** Our own time-out covers the reply; that of the client covers only the sending, and costs more than the command. */
export const noClientTimeout = { timeout: 0 };

interface ClientOptions {
  readonly host: HostAndPort;
  readonly tls: boolean;
  readonly credentials: Credentials;
  readonly database: number;
  readonly connectTimeout: number;
  /** Without an answer for so many milliseconds, the connection is considered lost. */
  readonly socketTimeout: number;
}

/** A client of one server. The first connection is tried once; a lost one is retried without end. */
export function makeClient({ host, tls, credentials, database, connectTimeout, socketTimeout }: ClientOptions) {
  let wasReady = false;
  const client = createClient({
    ...sharedClass,
    ...clientOptions,
    ...credentials,
    database,
    commandOptions: noClientTimeout,
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
