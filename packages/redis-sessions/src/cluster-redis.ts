import { createCluster } from '@redis/client';
import { errorMessage, notReady } from './errors.ts';
import { keySlot } from './key-slot.ts';
import { NodeWrites } from './node-writes.ts';
import { formatHost, type HostAndPort, type RedisAddress } from './redis-address.ts';
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
  type WaitForReplicas,
} from './redis-topology.ts';

/** How long a node may be away before the others are asked who took its place, in milliseconds. */
const refreshDelay = 300;
const maximumRedirections = 5;

type ClusterClient = ReturnType<typeof makeClient>;
type NodeClient = Awaited<ReturnType<ClusterClient['nodeClient']>>;

/** The primaries of a cluster. Replicas are not read: they may not know yet what a visitor has just chosen. */
export class ClusterRedis implements RedisTopology {
  readonly #cluster: ClusterClient;
  readonly #wait: WaitForReplicas;
  readonly #writes = new WeakMap<NodeClient, NodeWrites>();
  #reason: unknown;

  constructor({ address, connectTimeout, wait, events }: TopologyOptions) {
    this.#wait = wait;
    this.#cluster = makeClient(address, connectTimeout);
    this.#cluster.on('error', (error: unknown) => {
      this.#reason = error;
    });
    this.#cluster.on('node-error', (error: unknown, node: HostAndPort) => events.away(formatHost(node), error));
    this.#cluster.on('node-ready', (node: HostAndPort) => events.back(formatHost(node)));
    this.#cluster.on('node-disconnect', (node: HostAndPort) => events.replaced(formatHost(node)));
  }

  get isOpen(): boolean {
    return this.#cluster.isOpen;
  }

  /** A node that was reset knows of no primary, not even of itself. */
  get isReady(): boolean {
    return this.#cluster.isReady && this.#cluster.masters.length > 0;
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
    if (this.#cluster.isOpen) this.#cluster.destroy();
  }

  async send(command: RedisCommand, key?: string): Promise<unknown> {
    if (key !== undefined) this.#assertCovered(key);
    return this.#cluster.sendCommand(key, false, command);
  }

  /** Follows redirections itself: each node has its own clock, and the wait must be on the very connection that the write was on. */
  async write(command: TimedCommand, key: string): Promise<AcknowledgedReply> {
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

  primaries(): readonly RedisPrimary[] {
    return this.#cluster.masters.map((node) => ({
      address: node.address,
      send: async (command) => (await this.#cluster.nodeClient(node)).sendCommand(command),
    }));
  }

  #writesOn(client: NodeClient): NodeWrites {
    const writes = this.#writes.get(client);
    if (writes !== undefined) return writes;
    const made = new NodeWrites((command) => client.sendCommand(command), this.#wait);
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

function makeClient({ hosts, credentials, tls }: RedisAddress, connectTimeout: number) {
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
