import { formatHost, type RedisAddress } from './redis-address.ts';
import { makeClient, RedisNode, type WaitForReplicas } from './redis-node.ts';

/** A server that takes writes. */
export interface RedisPrimary {
  readonly address: string;
  readonly node: () => Promise<RedisNode>;
}

/** The servers behind one address: one Redis, the primary that sentinels name, or the nodes of a cluster. */
export interface RedisServers {
  /** Whether commands may be sent. */
  readonly isReady: boolean;
  /** Connects without retries, so that a wrong address fails the start. */
  connect(): Promise<void>;
  destroy(): void;
  /** Runs the work with the primary that has the key; again with another one after a redirection. */
  use<Answer>(key: string | undefined, work: Work<Answer>): Promise<Answer>;
  primaries(): readonly RedisPrimary[];
  /** Called when a command could not be sent or timed out: checks whether the servers have changed. */
  suspect?(): void;
}

/** `before` must be sent just before the command, on the same connection. */
export type Work<Answer> = (node: RedisNode, before?: readonly ['ASKING'][]) => Promise<Answer>;

export interface ServersOptions {
  readonly address: RedisAddress;
  /** In milliseconds. */
  readonly connectTimeout: number;
  readonly commandTimeout: number;
  readonly wait: WaitForReplicas;
  /** May be called repeatedly. */
  readonly onDisconnect: (reason: unknown) => void;
  readonly onReconnect: () => void;
}

/** Without an answer for this long, a connection is considered lost. */
export const idleTimeout = 15_000;

export class SingleRedis implements RedisServers {
  readonly address: string;
  readonly node: RedisNode;
  readonly #client: ReturnType<typeof makeClient>;

  constructor({ address, connectTimeout, wait, onDisconnect, onReconnect }: ServersOptions) {
    this.address = formatHost(address.hosts[0]);
    this.#client = makeClient({ ...address, host: address.hosts[0], connectTimeout, socketTimeout: idleTimeout });
    this.node = new RedisNode(this.#client, wait);
    this.#client.on('error', onDisconnect).on('ready', onReconnect);
  }

  get isReady(): boolean {
    return this.#client.isReady;
  }

  async connect(): Promise<void> {
    await this.#client.connect();
  }

  destroy(): void {
    if (this.#client.isOpen) this.#client.destroy();
  }

  async use<Answer>(_key: string | undefined, work: Work<Answer>): Promise<Answer> {
    await this.node.readClock();
    return work(this.node);
  }

  primaries(): readonly RedisPrimary[] {
    return [{ address: this.address, node: async () => this.node }];
  }
}
