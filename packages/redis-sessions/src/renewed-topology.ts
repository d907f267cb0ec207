import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { errorMessage, RedisError } from './errors.ts';
import type {
  AcknowledgedReply,
  RedisCommand,
  RedisPrimary,
  RedisTopology,
  TimedCommand,
  TopologyEvents,
} from './redis-topology.ts';

/** How often a new client is tried at most, in milliseconds. */
const renewInterval = 1000;

export interface RenewedTopologyOptions {
  readonly create: (events: TopologyEvents) => RedisTopology;
  readonly events: TopologyEvents;
  readonly connectTimeout: number;
  /** After so many milliseconds nobody waits any more for an answer to the old client. */
  readonly commandTimeout: number;
}

/** A client, until it is replaced. */
interface Generation {
  readonly topology: RedisTopology;
  readonly away: ReadonlySet<string>;
  /** Its nodes are no longer anybody's concern. */
  isMuted: boolean;
}

/**
 * Replaces the client when commands fail in ways from which it does not recover: a node that is frozen, or is cut off from the rest, keeps
 * its connections, and a sentinel that restarts no longer tells of changes. The new client asks all over again who is who.
 */
export class RenewedTopology implements RedisTopology {
  readonly #options: RenewedTopologyOptions;
  #current: Generation;
  #renewing: Promise<void> | undefined;
  #renewed = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  constructor(options: RenewedTopologyOptions) {
    this.#options = options;
    this.#current = this.#create();
  }

  get isOpen(): boolean {
    return this.#current.topology.isOpen;
  }

  get isReady(): boolean {
    return this.#current.topology.isReady;
  }

  connect(): Promise<void> {
    return this.#current.topology.connect();
  }

  destroy(): void {
    this.#isStopped = true;
    this.#current.topology.destroy();
  }

  send(command: RedisCommand, key?: string): Promise<unknown> {
    return this.#watch(this.#current.topology.send(command, key));
  }

  write(command: TimedCommand, key: string): Promise<AcknowledgedReply> {
    return this.#watch(this.#current.topology.write(command, key));
  }

  primaries(): readonly RedisPrimary[] {
    return this.#current.topology.primaries();
  }

  suspect(): void {
    if (this.#isStopped || this.#renewing !== undefined || performance.now() - this.#renewed < renewInterval) return;
    this.#renewed = performance.now();
    this.#renewing = this.#renew().finally(() => {
      this.#renewing = undefined;
    });
  }

  async #watch<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      if (isStale(error)) this.suspect();
      throw error;
    }
  }

  async #renew(): Promise<void> {
    // A client takes tens of milliseconds to make; those who have waited long enough are told first.
    await nextTurn();
    if (this.#isStopped) return;
    const next = this.#create();
    const isConnected = await this.#connects(next);
    if (!isConnected || this.#isStopped) {
      next.isMuted = true;
      next.topology.destroy();
      return;
    }
    const old = this.#current;
    this.#current = next;
    old.isMuted = true;
    const nodes = new Set(next.topology.primaries().map(({ address }) => address));
    for (const node of old.away) if (!nodes.has(node)) this.#options.events.replaced(node);
    setTimeout(() => old.topology.destroy(), this.#options.commandTimeout).unref();
  }

  /** A node that accepts connections but does not answer must not keep others from being asked next time. */
  async #connects({ topology }: Generation): Promise<boolean> {
    const { connectTimeout, commandTimeout } = this.#options;
    const connecting = topology.connect().then(
      () => true,
      () => false,
    );
    return Promise.race([connecting, sleep(connectTimeout + commandTimeout, false, { ref: false })]);
  }

  #create(): Generation {
    const away = new Set<string>();
    const tell = (event: keyof TopologyEvents) => (node: string, reason?: unknown) => {
      if (event === 'away') away.add(node);
      else away.delete(node);
      if (!generation.isMuted) this.#options.events[event](node, reason);
    };
    const events = { away: tell('away'), back: tell('back'), replaced: tell('replaced') };
    const generation = { topology: this.#options.create(events), away, isMuted: false };
    return generation;
  }
}

/** Whether another node may have taken over without the client knowing. */
export function isStale(error: unknown): boolean {
  if (error instanceof RedisError) return error.code === 'JIG_REDIS_NOT_READY';
  return /^(?:CLUSTERDOWN|READONLY|MOVED|ASK|MASTERDOWN|LOADING) |disconnected|closed|offline/i.test(
    errorMessage(error),
  );
}
