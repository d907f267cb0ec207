import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RedisServer, until } from './redis-server.ts';

const slots = 16_384;
const primaryCount = 3;
/** Before a node that does not answer counts as failed, in milliseconds; not so short that a busy machine is taken for a dead one. */
const nodeTimeout = 2000;

/** So that a replica has its data at once, and its primary is not asked for a file. */
export const quickReplication = [
  ['--repl-diskless-sync', 'yes'],
  ['--repl-diskless-sync-delay', '0'],
  ['--repl-ping-replica-period', '1'],
].flat();

export interface ClusterNode {
  readonly id: string;
  readonly server: RedisServer;
}

/** A Redis Cluster on the loopback: three primaries with a replica each, in a temporary folder. */
export class RedisCluster {
  readonly nodes: readonly ClusterNode[];
  readonly #folder: string;

  private constructor(nodes: readonly ClusterNode[], folder: string) {
    this.nodes = nodes;
    this.#folder = folder;
  }

  static async start(...flags: string[]): Promise<RedisCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'jig-redis-cluster-'));
    const servers = await Promise.all(
      Array.from({ length: 2 * primaryCount }, async (_, index) => {
        const cluster = [
          ['--cluster-enabled', 'yes', '--cluster-config-file', join(folder, `${index}.conf`)],
          ['--cluster-node-timeout', String(nodeTimeout), '--cluster-replica-validity-factor', '0'],
          ['--cluster-allow-replica-migration', 'no'],
        ];
        return RedisServer.start(...cluster.flat(), ...quickReplication, ...flags);
      }),
    );
    const nodes = await Promise.all(
      servers.map(async (server) => ({ id: String((await server.commands(['CLUSTER', 'MYID']))[0]), server })),
    );
    const cluster = new RedisCluster(nodes, folder);
    try {
      await cluster.#join();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  get servers(): readonly RedisServer[] {
    return this.nodes.map(({ server }) => server);
  }

  /** All nodes; a client needs only one that answers. */
  get url(): string {
    return `redis://${this.servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
  }

  /** In which slot a key is. */
  async slotOf(key: string): Promise<number> {
    const server = this.servers.find(({ isRunning }) => isRunning);
    return Number((await server?.commands(['CLUSTER', 'KEYSLOT', key]))?.[0]);
  }

  /** Which node has a slot now, by what most of the running nodes say. */
  async primaryOf(slot: number): Promise<ClusterNode> {
    const votes = new Map<string, number>();
    for (const { server } of this.nodes.filter((node) => node.server.isRunning)) {
      const [ranges] = await server.commands(['CLUSTER', 'SLOTS']).catch(() => [[]]);
      for (const [from, to, [, , id]] of ranges as [number, number, [string, number, string]][])
        if (from <= slot && slot <= to) votes.set(id, (votes.get(id) ?? 0) + 1);
    }
    const [winner] = [...votes].sort(([, one], [, other]) => other - one);
    const node = this.nodes.find(({ id }) => id === winner?.[0]);
    if (node === undefined) throw new Error(`No node has the slot ${slot}.`);
    return node;
  }

  /** The nodes that take writes, as one of the running nodes knows them. */
  async primaries(): Promise<readonly ClusterNode[]> {
    const ids = new Set<string>();
    for (const slot of Array.from({ length: primaryCount }, (_, index) => firstSlot(index)))
      ids.add((await this.primaryOf(slot)).id);
    return this.nodes.filter(({ id }) => ids.has(id));
  }

  /** Until all running nodes agree that everything works, and each primary has a replica that has its data. */
  async settled(): Promise<void> {
    const running = this.servers.filter(({ isRunning }) => isRunning);
    const isWell = async (server: RedisServer) => {
      const [state, failing, role, replicas, link] = await Promise.all([
        server.info('cluster_state', 'CLUSTER', 'INFO'),
        server.info('cluster_slots_pfail', 'CLUSTER', 'INFO'),
        server.info('role', 'INFO', 'replication'),
        server.info('connected_slaves', 'INFO', 'replication'),
        server.info('master_link_status', 'INFO', 'replication'),
      ]);
      const isLinked = role === 'master' ? replicas !== '0' || running.length < this.servers.length : link === 'up';
      return state === 'ok' && failing === '0' && isLinked;
    };
    await until(async () => (await Promise.all(running.map(isWell))).every(Boolean), 'the cluster has settled');
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #join(): Promise<void> {
    const [first, ...others] = this.servers;
    const primaries = this.servers.slice(0, primaryCount);
    for (const [index, server] of this.servers.entries()) {
      const range = [String(firstSlot(index)), String(firstSlot(index + 1) - 1)];
      const own = index < primaryCount ? [['CLUSTER', 'ADDSLOTSRANGE', ...range]] : [];
      await server.commands(['CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1)], ...own);
    }
    for (const server of others) {
      const [, busPort = ''] = ((await server.commands(['CONFIG', 'GET', 'cluster-port']))[0] ?? []) as string[];
      await first?.commands(['CLUSTER', 'MEET', '127.0.0.1', String(server.port), busPort]);
    }
    const knowsAll = async (server: RedisServer) =>
      (await server.info('cluster_known_nodes', 'CLUSTER', 'INFO')) === String(this.servers.length);
    await until(async () => (await Promise.all(this.servers.map(knowsAll))).every(Boolean), 'all nodes have met');
    for (const [index, server] of this.servers.slice(primaryCount).entries()) {
      const id = this.nodes[index]?.id ?? '';
      const replicate = async () => Boolean(await server.commands(['CLUSTER', 'REPLICATE', id]));
      await until(replicate, `a node is a replica of ${primaries[index]?.port}`);
    }
    await this.settled();
  }
}

function firstSlot(primary: number): number {
  return Math.ceil((primary * slots) / primaryCount);
}
