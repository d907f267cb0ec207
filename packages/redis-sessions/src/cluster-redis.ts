import { setTimeout as sleep } from 'node:timers/promises';
import { createCluster } from '@redis/client';
import { errorMessage, notReady } from './errors.ts';
import { clientOptions, RedisNode, reconnectDelay, tlsOption } from './redis-node.ts';
import { idleTimeout, type RedisPrimary, type RedisServers, type ServersOptions, type Work } from './redis-servers.ts';

const maximumRedirections = 5;
/** The shortest time between two new clients, in milliseconds. */
const renewInterval = 1000;

type ClusterClient = ReturnType<typeof makeClient>;
type NodeClient = Awaited<ReturnType<ClusterClient['nodeClient']>>;

/**
 * The primaries of a cluster. Replicas are not read, since they may lag behind.
 *
 * When commands fail, a new client discovers the nodes again and replaces the old one once all primaries answer: the client of a frozen or
 * isolated node keeps its connections and does not recover by itself.
 */
export class ClusterRedis implements RedisServers {
  readonly #options: ServersOptions;
  readonly #nodes = new WeakMap<NodeClient, RedisNode>();
  #cluster: ClusterClient;
  #reason: unknown;
  #isRenewing = false;
  #isStopped = false;

  constructor(options: ServersOptions) {
    this.#options = options;
    this.#cluster = this.#create();
  }

  /** A node that was reset is connected but knows no primary. */
  get isReady(): boolean {
    return this.#cluster.isReady && this.#cluster.masters.length > 0;
  }

  async connect(): Promise<void> {
    try {
      await this.#cluster.connect();
    } catch (error) {
      // The client's own error says only that no root node is available.
      throw this.#reason ?? error;
    }
    if (!this.isReady) throw notReady('The node of the Redis cluster that was asked knows of no slot.');
  }

  destroy(): void {
    this.#isStopped = true;
    if (this.#cluster.isOpen) this.#cluster.destroy();
  }

  /** Follows redirections itself, since `WAIT` must be on the connection of the write, and each node has its own clock. */
  async use<Answer>(key: string | undefined, work: Work<Answer>): Promise<Answer> {
    const cluster = this.#cluster;
    let client = await this.#clientFor(cluster, key);
    let before: ['ASKING'][] = [];
    for (let redirections = 0; ; redirections++) {
      try {
        const node = this.#node(client);
        await node.readClock();
        return await work(node, before);
      } catch (error) {
        const [kind, , address = ''] = errorMessage(error).split(' ');
        if ((kind !== 'ASK' && kind !== 'MOVED') || redirections === maximumRedirections) throw error;
        before = kind === 'ASK' ? [['ASKING']] : [];
        // A redirected read makes the cluster client refresh its slots.
        if (kind === 'MOVED' && key !== undefined) await cluster.sendCommand(key, false, ['HLEN', key]);
        const named = kind === 'ASK' ? cluster.nodeByAddress.get(address) : undefined;
        client = named === undefined ? await this.#clientFor(cluster, key) : await cluster.nodeClient(named);
      }
    }
  }

  primaries(): readonly RedisPrimary[] {
    const cluster = this.#cluster;
    return cluster.masters.map((master) => ({
      address: master.address,
      node: async () => this.#node(await cluster.nodeClient(master)),
    }));
  }

  suspect(): void {
    if (this.#isStopped || this.#isRenewing) return;
    this.#isRenewing = true;
    void this.#renew().finally(() => {
      this.#isRenewing = false;
    });
  }

  #create(): ClusterClient {
    const cluster = makeClient(this.#options);
    cluster.on('error', (error: unknown) => {
      this.#reason = error;
    });
    cluster.on('node-error', (error: unknown) => {
      if (cluster !== this.#cluster) return;
      this.#options.onDisconnect(error);
      this.suspect();
    });
    return cluster;
  }

  async #clientFor(cluster: ClusterClient, key: string | undefined): Promise<NodeClient> {
    const [first] = cluster.masters;
    try {
      if (key !== undefined) return await cluster.getNodeClientForKey(key);
      if (first !== undefined) return await cluster.nodeClient(first);
    } catch (error) {
      throw notReady(`No node of the Redis cluster has this key: ${errorMessage(error)}`);
    }
    throw notReady('No node of the Redis cluster is known.');
  }

  #node(client: NodeClient): RedisNode {
    const known = this.#nodes.get(client) ?? new RedisNode(client, this.#options.wait);
    this.#nodes.set(client, known);
    return known;
  }

  async #renew(): Promise<void> {
    const { connectTimeout, commandTimeout, onReconnect } = this.#options;
    while (!this.#isStopped) {
      const replacement = this.#create();
      // A node may accept connections but never answer.
      const timeout = sleep(connectTimeout + commandTimeout, false, { ref: false });
      const isHealthy = await Promise.race([allAnswer(replacement).catch(() => false), timeout]);
      const isUsed = isHealthy && !this.#isStopped;
      const unused = isUsed ? this.#cluster : replacement;
      setTimeout(() => unused.isOpen && unused.destroy(), commandTimeout).unref();
      if (isUsed) {
        this.#cluster = replacement;
        onReconnect();
      }
      await sleep(renewInterval, undefined, { ref: false });
      if (isUsed) return;
    }
  }
}

/** Whether all primaries answer. */
async function allAnswer(cluster: ClusterClient): Promise<boolean> {
  await cluster.connect();
  const asked = cluster.masters.map(async (master) => (await cluster.nodeClient(master)).sendCommand(['PING']));
  return (await Promise.all(asked)).length > 0;
}

function makeClient({ address, connectTimeout }: ServersOptions) {
  const { hosts, credentials, tls } = address;
  return createCluster({
    rootNodes: hosts.map((host) => ({ socket: { ...host } })),
    RESP: 2,
    // Otherwise a node that is down delays the discovery of the others.
    minimizeConnections: true,
    defaults: {
      ...clientOptions,
      ...credentials,
      pingInterval: idleTimeout / 4,
      socket: { ...tlsOption(tls), connectTimeout, socketTimeout: idleTimeout, reconnectStrategy: reconnectDelay },
    },
  });
}
