import { createClient } from '@redis/client';
import { NodeWrites } from './node-writes.ts';
import { formatHost, type RedisAddress } from './redis-address.ts';
import {
  type AcknowledgedReply,
  clientOptions,
  idleTimeout,
  noClientTimeout,
  type RedisCommand,
  type RedisPrimary,
  type RedisTopology,
  reconnectDelay,
  sharedClass,
  type TimedCommand,
  type TopologyOptions,
  tlsOption,
} from './redis-topology.ts';

/** One server. The first connection is tried once; a lost one is retried without end. */
export class SingleRedis implements RedisTopology {
  readonly address: string;
  readonly #client: ReturnType<typeof makeClient>;
  readonly #writes: NodeWrites;
  #wasReady = false;

  constructor({ address, connectTimeout, wait, events }: TopologyOptions) {
    this.address = formatHost(address.hosts[0]);
    this.#client = makeClient(address, connectTimeout, () => this.#wasReady);
    this.#writes = new NodeWrites((command) => this.send(command), wait);
    this.#client.on('error', (error: unknown) => events.away(this.address, error));
    this.#client.on('ready', () => {
      this.#wasReady = true;
      this.#writes.reset();
      events.back(this.address);
    });
  }

  get isOpen(): boolean {
    return this.#client.isOpen;
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

  send(command: RedisCommand): Promise<unknown> {
    return this.#client.sendCommand(command);
  }

  write(command: TimedCommand): Promise<AcknowledgedReply> {
    return this.#writes.write(command);
  }

  primaries(): readonly RedisPrimary[] {
    return [{ address: this.address, send: (command) => this.send(command) }];
  }
}

function makeClient(address: RedisAddress, connectTimeout: number, wasReady: () => boolean) {
  const { hosts, credentials, tls, database } = address;
  return createClient({
    ...sharedClass,
    ...clientOptions,
    ...credentials,
    database,
    commandOptions: noClientTimeout,
    socket: {
      ...hosts[0],
      ...tlsOption(tls),
      connectTimeout,
      socketTimeout: idleTimeout,
      reconnectStrategy: (retries: number, cause: Error) => (wasReady() ? reconnectDelay(retries) : cause),
    },
  });
}
