import { RedisSentinel } from '@redis/client';
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
  type TopologyEvents,
  type TopologyOptions,
  tlsOption,
} from './redis-topology.ts';

/** How often the sentinels are asked even if they tell of no change, in milliseconds. */
const scanInterval = 10_000;
/** All commands wait while the sentinels are asked, so that one which does not answer must not take long. */
const sentinelTimeout = 1000;

/** The primary that the sentinels name. */
export class SentinelRedis implements RedisTopology {
  readonly #name: string;
  readonly #events: TopologyEvents;
  readonly #sentinel: ReturnType<typeof makeClient>;
  readonly #writes: NodeWrites;
  #isAway = false;

  constructor({ address, connectTimeout, wait, events }: TopologyOptions) {
    this.#name = address.primaryName;
    this.#events = events;
    this.#sentinel = makeClient(address, connectTimeout);
    this.#writes = new NodeWrites((command) => this.#send(command), wait);
    // Those of the sentinels come here too, and mean nothing as long as one of them answers.
    this.#sentinel.on('error', () => {});
    this.#sentinel.on('client-error', ({ type, error }: { type: string; error: unknown }) => {
      if (type === 'MASTER') this.#leave(error);
    });
    this.#sentinel.on('topology-change', () => this.#writes.reset());
    this.#sentinel.on('reconnecting', () => this.#leave('the sentinels name another primary'));
  }

  get isOpen(): boolean {
    return this.#sentinel.isOpen;
  }

  get isReady(): boolean {
    return this.#sentinel.isReady && this.#sentinel.getMasterNode() !== undefined;
  }

  async connect(): Promise<void> {
    // The client says only that no sentinel can be used, and why one cannot, as it finds out.
    let reason: unknown;
    const remember = (error: unknown) => {
      if (error instanceof Error) reason = error;
    };
    const forget = () => {
      reason = undefined;
    };
    this.#sentinel.on('error', remember).on('topology-change', forget);
    try {
      await this.#sentinel.connect();
    } catch (error) {
      throw reason ?? error;
    } finally {
      this.#sentinel.off('error', remember).off('topology-change', forget);
    }
    this.#events.back(this.#name);
  }

  destroy(): void {
    if (this.#sentinel.isOpen) void this.#sentinel.destroy().catch(() => {});
  }

  async send(command: RedisCommand): Promise<unknown> {
    const reply = await this.#send(command);
    this.#answered();
    return reply;
  }

  async write(command: TimedCommand): Promise<AcknowledgedReply> {
    const answer = await this.#writes.write(command);
    this.#answered();
    return answer;
  }

  primaries(): readonly RedisPrimary[] {
    const node = this.#sentinel.getMasterNode();
    return [{ address: node === undefined ? this.#name : formatHost(node), send: (command) => this.send(command) }];
  }

  #send(command: RedisCommand): Promise<unknown> {
    return this.#sentinel.sendCommand(false, command, noClientTimeout);
  }

  #leave(reason: unknown): void {
    this.#isAway = true;
    this.#events.away(this.#name, reason);
  }

  /** The client does not tell when a primary that was lost answers again. */
  #answered(): void {
    if (!this.#isAway) return;
    this.#isAway = false;
    this.#events.back(this.#name);
  }
}

const makeFactory = () => RedisSentinel.factory({ RESP: 2 });
/** Made once, for the reason that `sharedClass` gives. */
let factory: ReturnType<typeof makeFactory> | undefined;

function makeClient(address: RedisAddress, connectTimeout: number) {
  const { hosts, credentials, sentinelCredentials, tls, database, primaryName } = address;
  factory ??= makeFactory();
  return factory({
    name: primaryName,
    sentinelRootNodes: hosts.map((host) => ({ ...host })),
    // A command that was refused to a visitor must not be stored later.
    maxCommandRediscovers: 0,
    // Without it, commands that come together wait for each other.
    reserveClient: true,
    scanInterval,
    nodeClientOptions: {
      ...sharedClass('node'),
      ...clientOptions,
      ...credentials,
      database,
      socket: {
        ...tlsOption(tls),
        connectTimeout,
        socketTimeout: idleTimeout,
        reconnectStrategy: reconnectDelay,
      },
    },
    sentinelClientOptions: {
      ...sharedClass('sentinel'),
      ...clientOptions,
      ...sentinelCredentials,
      pingInterval: sentinelTimeout / 4,
      socket: {
        ...tlsOption(tls),
        connectTimeout: Math.min(connectTimeout, sentinelTimeout),
        socketTimeout: sentinelTimeout,
      },
    },
  });
}
