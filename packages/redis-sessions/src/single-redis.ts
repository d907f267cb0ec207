import { NodeWrites } from './node-writes.ts';
import { formatHost } from './redis-address.ts';
import {
  type AcknowledgedReply,
  idleTimeout,
  makeClient,
  type RedisCommand,
  type RedisPrimary,
  type RedisTopology,
  type TimedCommand,
  type TopologyOptions,
} from './redis-topology.ts';

/** One server. */
export class SingleRedis implements RedisTopology {
  readonly address: string;
  readonly #client: ReturnType<typeof makeClient>;
  readonly #writes: NodeWrites;

  constructor({ address, connectTimeout, wait, events }: TopologyOptions) {
    this.address = formatHost(address.hosts[0]);
    this.#client = makeClient({ ...address, host: address.hosts[0], connectTimeout, socketTimeout: idleTimeout });
    this.#writes = new NodeWrites((command) => this.send(command), wait);
    this.#client.on('error', (error: unknown) => events.away(this.address, error));
    this.#client.on('ready', () => {
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
