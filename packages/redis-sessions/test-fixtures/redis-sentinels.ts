import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quickReplication } from './redis-cluster.ts';
import { freePorts, RedisServer, until } from './redis-server.ts';

const primaryName = 'main';
const replicaCount = 2;
const sentinelCount = 3;
/** Before a server that does not answer counts as down, in milliseconds. */
const downAfter = 1500;

/** A primary, two replicas and three sentinels on the loopback. */
export class RedisSentinels {
  readonly servers: readonly RedisServer[];
  readonly sentinels: readonly RedisServer[];
  readonly #folder: string;

  private constructor(servers: readonly RedisServer[], sentinels: readonly RedisServer[], folder: string) {
    this.servers = servers;
    this.sentinels = sentinels;
    this.#folder = folder;
  }

  static async start(...flags: string[]): Promise<RedisSentinels> {
    const folder = await mkdtemp(join(tmpdir(), 'jig-redis-sentinels-'));
    const [primaryPort = 0, ...otherPorts] = await freePorts(1 + replicaCount + sentinelCount);
    const primary = await RedisServer.startOn(primaryPort, ...quickReplication, ...flags);
    const replicaOf = ['--replicaof', '127.0.0.1', String(primary.port)];
    const replicas = await Promise.all(
      otherPorts
        .slice(0, replicaCount)
        .map((port) => RedisServer.startOn(port, ...quickReplication, ...replicaOf, ...flags)),
    );
    const linked = async (server: RedisServer) =>
      (await server.info('master_link_status', 'INFO', 'replication')) === 'up';
    // A sentinel learns of the replicas from the primary, at once if they are there already.
    await until(async () => (await Promise.all(replicas.map(linked))).every(Boolean), 'the replicas follow');
    const sentinels = await Promise.all(
      otherPorts.slice(replicaCount).map(async (port) => {
        const file = join(folder, `${port}.conf`);
        await writeFile(
          file,
          [
            `sentinel monitor ${primaryName} 127.0.0.1 ${primary.port} 2`,
            `sentinel down-after-milliseconds ${primaryName} ${downAfter}`,
            `sentinel failover-timeout ${primaryName} 6000`,
            '',
          ].join('\n'),
        );
        return RedisServer.startSentinel(port, file);
      }),
    );
    const group = new RedisSentinels([primary, ...replicas], sentinels, folder);
    try {
      await group.settled();
      return group;
    } catch (error) {
      await group.stop();
      throw error;
    }
  }

  get url(): string {
    return `redis+sentinel://${this.sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${primaryName}`;
  }

  /** The primary that the first running sentinel names. */
  async primary(): Promise<RedisServer> {
    const sentinel = this.sentinels.find(({ isRunning }) => isRunning);
    const [address] = (await sentinel?.commands(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', primaryName])) ?? [];
    const port = Number((address as string[])[1]);
    const server = this.servers.find((each) => each.port === port);
    if (server === undefined) throw new Error('The sentinels name no primary.');
    return server;
  }

  /** Until all sentinels know each other, the primary, and replicas that follow it. */
  async settled(): Promise<void> {
    const isWell = async (sentinel: RedisServer) => {
      const [reply] = await sentinel.commands(['SENTINEL', 'MASTER', primaryName]);
      const words = reply as string[];
      const value = (field: string) => words[words.indexOf(field) + 1];
      return (
        value('flags') === 'master' &&
        value('num-other-sentinels') === String(sentinelCount - 1) &&
        Number(value('num-slaves')) >= replicaCount
      );
    };
    const follows = async (server: RedisServer) =>
      (await server.info('role', 'INFO', 'replication')) === 'master' ||
      (await server.info('master_link_status', 'INFO', 'replication')) === 'up';
    const all = async () => {
      const running = this.servers.filter(({ isRunning }) => isRunning);
      const found = await Promise.all([...this.sentinels.map(isWell), ...running.map(follows)]);
      return found.every(Boolean);
    };
    await until(all, 'the sentinels have settled');
  }

  async stop(): Promise<void> {
    await Promise.all([...this.sentinels, ...this.servers].map((server) => server.stop()));
    await rm(this.#folder, { recursive: true, force: true });
  }
}
