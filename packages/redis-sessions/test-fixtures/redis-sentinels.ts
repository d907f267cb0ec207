import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quickReplication } from './redis-cluster.ts';
import { RedisServer, until } from './redis-server.ts';

const primaryName = 'main';
const replicaCount = 2;
const sentinelCount = 3;
/** Before a server that does not answer counts as down, in milliseconds. */
const downAfter = 1500;

/**
 * How often sentinels ask and tell, in milliseconds. By default they learn every ten seconds who is a replica, and for half a minute
 * decide nothing when they were held up for two seconds, as on a busy machine.
 */
const timing = [
  ['INFO-PERIOD', '500'],
  ['PUBLISH-PERIOD', '500'],
  ['TILT-PERIOD', '1000'],
].flat();

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
    const primary = await RedisServer.start(...quickReplication, ...flags);
    const replicaOf = ['--replicaof', '127.0.0.1', String(primary.port)];
    const replicas = await Promise.all(
      Array.from({ length: replicaCount }, () => RedisServer.start(...quickReplication, ...replicaOf, ...flags)),
    );
    const linked = async (server: RedisServer) =>
      (await server.info('master_link_status', 'INFO', 'replication')) === 'up';
    // A sentinel learns of the replicas from the primary, at once if they are there already.
    await until(async () => (await Promise.all(replicas.map(linked))).every(Boolean), 'the replicas follow');
    const sentinels = await Promise.all(
      Array.from({ length: sentinelCount }, async (_, index) => {
        const file = join(folder, `${index}.conf`);
        await writeFile(
          file,
          [
            `sentinel monitor ${primaryName} 127.0.0.1 ${primary.port} 2`,
            `sentinel down-after-milliseconds ${primaryName} ${downAfter}`,
            `sentinel failover-timeout ${primaryName} 6000`,
            '',
          ].join('\n'),
        );
        const sentinel = await RedisServer.startSentinel(file);
        await sentinel.commands(['SENTINEL', 'DEBUG', ...timing]);
        return sentinel;
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

  /** Until all sentinels know each other, the one primary, and replicas that follow it. */
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
    const roles = async (server: RedisServer) => {
      const role = await server.info('role', 'INFO', 'replication');
      const link = await server.info('master_link_status', 'INFO', 'replication');
      return role === 'master' || link === 'up' ? role : 'lost';
    };
    const all = async () => {
      const running = this.servers.filter(({ isRunning }) => isRunning);
      const isKnown = (await Promise.all(this.sentinels.map(isWell))).every(Boolean);
      const found = await Promise.all(running.map(roles));
      // One that was restarted believes itself to be a primary, until a sentinel tells it otherwise.
      return isKnown && found.filter((role) => role === 'master').length === 1 && !found.includes('lost');
    };
    await until(all, 'the sentinels have settled');
  }

  async stop(): Promise<void> {
    await Promise.all([...this.sentinels, ...this.servers].map((server) => server.stop()));
    await rm(this.#folder, { recursive: true, force: true });
  }
}
