import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { createCluster } from '@redis/client';
import { errorMessage, isStale, notReady } from './errors.ts';
import { keySlot } from './key-slot.ts';
import { NodeWrites } from './node-writes.ts';
import { formatHost, type HostAndPort } from './redis-address.ts';
import {
  type AcknowledgedReply,
  clientOptions,
  idleTimeout as defaultIdleTimeout,
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

/** How long a node may be away before the others are asked who took its place, in milliseconds. */
const refreshDelay = 300;
const maximumRedirections = 5;

/** How often a new client is tried at most, in milliseconds. */
const renewInterval = 1000;

type ClusterClient = ReturnType<typeof makeClient>;
type NodeClient = Awaited<ReturnType<ClusterClient['nodeClient']>>;

interface ClusterOptions extends TopologyOptions {
  /** After so many milliseconds nobody waits any more for an answer to a client that was replaced. */
  readonly commandTimeout: number;
  /** Without an answer for so many milliseconds, a connection is considered lost. */
  readonly idleTimeout?: number;
}

/**
 * The primaries of a cluster. Replicas are not read: they may not know yet what a visitor has just chosen.
 *
 * Replaces the client when commands fail in ways from which it does not recover: a node that is frozen, or is cut off from the rest, keeps
 * its connections. The new client asks all over again who is who, beginning with any of the hosts.
 */
export class ClusterRedis implements RedisTopology {
  readonly #options: ClusterOptions;
  readonly #writes = new WeakMap<NodeClient, NodeWrites>();
  /** Those whose nodes are no longer anybody's concern. */
  readonly #muted = new WeakSet<ClusterClient>();
  readonly #away = new Set<string>();
  #cluster: ClusterClient;
  #reason: unknown;
  #renewing: Promise<void> | undefined;
  #renewed = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  constructor(options: ClusterOptions) {
    this.#options = options;
    this.#cluster = this.#create();
  }

  get isOpen(): boolean {
    return this.#cluster.isOpen;
  }

  get isReady(): boolean {
    return isReady(this.#cluster);
  }

  async connect(): Promise<void> {
    try {
      await this.#cluster.connect();
    } catch (error) {
      // "None of the root nodes is available" says less than why the last of them was not.
      throw this.#reason ?? error;
    }
    if (!this.isReady) throw notReady('The node of the Redis cluster that was asked knows of no slot.');
  }

  destroy(): void {
    this.#isStopped = true;
    if (this.#cluster.isOpen) this.#cluster.destroy();
  }

  send(command: RedisCommand, key?: string): Promise<unknown> {
    return this.#watch(async () => {
      if (key !== undefined) this.#assertCovered(key);
      return this.#cluster.sendCommand(key, false, command);
    });
  }

  write(command: TimedCommand, key: string): Promise<AcknowledgedReply> {
    return this.#watch(() => this.#write(command, key));
  }

  primaries(): readonly RedisPrimary[] {
    const cluster = this.#cluster;
    return cluster.masters.map((node) => ({
      address: node.address,
      send: async (command) => (await cluster.nodeClient(node)).sendCommand(command),
    }));
  }

  suspect(): void {
    if (this.#isStopped || this.#renewing !== undefined || performance.now() - this.#renewed < renewInterval) return;
    this.#renewed = performance.now();
    this.#renewing = this.#renew().finally(() => {
      this.#renewing = undefined;
    });
  }

  async #watch<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    try {
      return await ask();
    } catch (error) {
      if (isStale(error)) this.suspect();
      throw error;
    }
  }

  #create(): ClusterClient {
    const { events } = this.#options;
    const cluster = makeClient(this.#options);
    const tell = (event: keyof TopologyEvents, node: HostAndPort, reason?: unknown) => {
      if (this.#muted.has(cluster)) return;
      const name = formatHost(node);
      if (event === 'away') this.#away.add(name);
      else this.#away.delete(name);
      events[event](name, reason);
    };
    cluster.on('error', (error: unknown) => {
      this.#reason = error;
    });
    cluster.on('node-error', (error: unknown, node: HostAndPort) => tell('away', node, error));
    cluster.on('node-ready', (node: HostAndPort) => tell('back', node));
    cluster.on('node-disconnect', (node: HostAndPort) => tell('replaced', node));
    return cluster;
  }

  async #renew(): Promise<void> {
    // A client takes tens of milliseconds to make; those who have waited long enough are told first.
    await nextTurn();
    if (this.#isStopped) return;
    const { connectTimeout, commandTimeout, events } = this.#options;
    const made = this.#create();
    // A node that accepts connections but does not answer must not keep others from being asked next time.
    const given = sleep(connectTimeout + commandTimeout, undefined, { ref: false });
    await Promise.race([made.connect().catch(() => {}), given]);
    const isUsed = isReady(made) && !this.#isStopped;
    const unused = isUsed ? this.#cluster : made;
    this.#muted.add(unused);
    const destroy = () => void (unused.isOpen && unused.destroy());
    if (!isUsed) return destroy();
    this.#cluster = made;
    const nodes = new Set(made.masters.map(({ address }) => address));
    for (const node of this.#away) if (!nodes.has(node) && this.#away.delete(node)) events.replaced(node);
    setTimeout(destroy, commandTimeout).unref();
  }

  /** Follows redirections itself: each node has its own clock, and the wait must be on the very connection that the write was on. */
  async #write(command: TimedCommand, key: string): Promise<AcknowledgedReply> {
    this.#assertCovered(key);
    let client = await this.#cluster.getNodeClientForKey(key);
    let asking: TimedCommand[] = [];
    for (let redirections = 0; ; redirections++) {
      try {
        return await this.#writesOn(client).write(...asking, command);
      } catch (error) {
        const [kind, , address = ''] = errorMessage(error).split(' ');
        const isAsked = kind === 'ASK';
        if ((!isAsked && kind !== 'MOVED') || redirections === maximumRedirections) throw error;
        asking = isAsked ? [() => ['ASKING']] : [];
        client = await this.#redirect(key, isAsked ? address : undefined);
      }
    }
  }

  #writesOn(client: NodeClient): NodeWrites {
    const writes = this.#writes.get(client);
    if (writes !== undefined) return writes;
    const made = new NodeWrites((command) => client.sendCommand(command), this.#options.wait);
    client.on('ready', () => made.reset());
    this.#writes.set(client, made);
    return made;
  }

  async #redirect(key: string, address: string | undefined): Promise<NodeClient> {
    // A read by the cluster client is redirected too, after which it knows where all slots are.
    if (address === undefined) await this.#cluster.sendCommand(key, false, ['HLEN', key]);
    const node = address === undefined ? undefined : this.#cluster.nodeByAddress.get(address);
    return node === undefined ? this.#cluster.getNodeClientForKey(key) : this.#cluster.nodeClient(node);
  }

  #assertCovered(key: string): void {
    const slot = keySlot(key);
    if (this.#cluster.isReady && this.#cluster.slots[slot] === undefined)
      throw notReady(`No node of the Redis cluster has the slot ${slot}.`);
  }
}

/** A node that was reset knows of no primary, not even of itself. */
const isReady = (cluster: ClusterClient): boolean => cluster.isReady && cluster.masters.length > 0;

function makeClient({ address, connectTimeout, idleTimeout = defaultIdleTimeout }: ClusterOptions) {
  const { hosts, credentials, tls } = address;
  return createCluster({
    ...sharedClass,
    rootNodes: hosts.map((host) => ({ socket: { ...host } })),
    RESP: 2,
    commandOptions: noClientTimeout,
    // Otherwise a node that is down would hold up all news of the others.
    minimizeConnections: true,
    topologyRefreshOnReconnectionAttemptStrategy: refreshDelay,
    defaults: {
      ...clientOptions,
      ...credentials,
      pingInterval: idleTimeout / 4,
      socket: {
        ...tlsOption(tls),
        connectTimeout,
        socketTimeout: idleTimeout,
        reconnectStrategy: reconnectDelay,
      },
    },
  });
}
