import type { TestApplication } from '@jig/application/testing';
import { clockFeature } from '@jig/clock';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { RedisCluster } from '../../packages/redis-sessions/test-fixtures/redis-cluster.ts';
import { RedisSentinels } from '../../packages/redis-sessions/test-fixtures/redis-sentinels.ts';
import { type RedisServer, until } from '../../packages/redis-sessions/test-fixtures/redis-server.ts';
import { notesFeature } from '../faults/database-notes.ts';
import { type Figures, MeasuredLoad } from '../faults/measured-load.ts';
import { startOnRedis } from './redis-application.ts';
import { slowestRequest } from './request-times.ts';
import { reshard } from './reshard.ts';

/** `sessions.storeDeadline`, and a little for all else that a request does. */
const longestRequest = 1500 + 500;
const clusters = RedisCluster.start();
const sentinels = RedisSentinels.start();

/** Forms of `safe` are answered when a replica has what they store; those of `quick` at once; `clock` has pages. */
interface Instances {
  readonly safe: TestApplication;
  readonly quick: TestApplication;
  readonly clock: TestApplication;
}

async function startInstances(url: string): Promise<Instances> {
  const safe = await startOnRedis(notesFeature, { url, waitForReplicas: 1 });
  const quick = await startOnRedis(notesFeature, { url });
  // What is chosen has to be on a replica before the primary ends.
  const clock = await startOnRedis(clockFeature, { url, waitForReplicas: 1 });
  return { safe, quick, clock };
}

const stopAll = (instances: Instances | undefined) =>
  Promise.all(Object.values(instances ?? {}).map((application: TestApplication) => application.stop()));

const addressOf = ({ url }: TestApplication) => `${url}/clock/time`;

/** Somebody who keeps looking at the clock: every page is there in time, with a word of it when it shows defaults. */
class Onlooker {
  readonly #clock: TestApplication;
  readonly #looking: Promise<void>;
  readonly #cookie: string;
  #isOver = false;
  #defaults = 0;
  #pages = 0;
  #slowest = 0;

  private constructor(clock: TestApplication, cookie: string) {
    this.#clock = clock;
    this.#cookie = cookie;
    this.#looking = this.#look();
    // Whoever calls `end` hears of it.
    this.#looking.catch(() => {});
  }

  /** Begins to look when the choice is stored. */
  static async start(clock: TestApplication): Promise<Onlooker> {
    const body = new URLSearchParams({ languageTag: 'fr', zoneID: 'Asia/Kolkata' });
    const choose = () => fetch(addressOf(clock), { method: 'POST', redirect: 'manual', body });
    let chosen = await choose();
    // A server that the test before has brought back may not be connected again yet.
    const isStored = async () => {
      if (chosen.status === 503) chosen = await choose();
      return chosen.status;
    };
    await expect.poll(isStored, { interval: 100 }).toBe(302);
    return new Onlooker(clock, chosen.headers.get('set-cookie')?.split(';')[0] ?? '');
  }

  async end(): Promise<{ pages: number; defaults: number; slowest: number }> {
    this.#isOver = true;
    await this.#looking;
    return { pages: this.#pages, defaults: this.#defaults, slowest: Math.round(this.#slowest) };
  }

  async #look(): Promise<void> {
    const address = addressOf(this.#clock);
    while (!this.#isOver) {
      const began = performance.now();
      const headers = { cookie: this.#cookie, 'accept-language': 'en' };
      const response = await fetch(address, { headers });
      const page = await response.text();
      this.#slowest = Math.max(this.#slowest, performance.now() - began);
      expect(response.status).toBe(200);
      const isDefault = page.includes('role="alert"');
      const language = /<html[^>]* lang="(\w+)/.exec(page)?.[1];
      expect(language).toBe(isDefault ? 'en' : 'fr');
      this.#pages++;
      if (isDefault) this.#defaults++;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** Ends a server until the test is over, whatever comes of it. */
async function kill(server: RedisServer): Promise<void> {
  await server.stop();
  onTestFinished(() => server.restart());
}

/** Runs visitors while something happens, and says what they saw. */
async function during(
  { safe, quick, clock }: Instances,
  what: string,
  happen: (load: MeasuredLoad) => Promise<void>,
): Promise<{ safe: Figures; quick: Figures }> {
  const loads = [new MeasuredLoad([safe.url], 4), new MeasuredLoad([quick.url], 4)] as const;
  const onlooker = await Onlooker.start(clock);
  await Promise.all(loads.map((load) => load.goesOn()));
  await happen(loads[0]);
  await Promise.all(loads.map((load) => load.goesOn()));
  const [safeFigures, quickFigures] = await Promise.all([loads[0].end(), loads[1].end()]);
  const pages = await onlooker.end();
  const health = async ({ url }: TestApplication) => (await fetch(`${url}/health`)).status;
  for (const instance of [safe, quick, clock]) await expect.poll(() => health(instance), { interval: 100 }).toBe(200);
  const slowestInside = Object.fromEntries(
    Object.entries({ safe, quick, clock }).map(([name, { server }]) => [name, slowestRequest(server.server)]),
  );
  console.info(what, { 'waiting for replicas': safeFigures, 'not waiting': quickFigures, pages, slowestInside });
  for (const { unexpected } of [safeFigures, quickFigures]) expect(unexpected).toEqual([]);
  for (const time of Object.values(slowestInside)) expect(time).toBeLessThanOrEqual(longestRequest);
  // Redis promises it for what the replica has acknowledged that takes over.
  expect(safeFigures.lost).toBe(0);
  return { safe: safeFigures, quick: quickFigures };
}

afterAll(async () => {
  // Each is stopped, whatever became of the other.
  await Promise.allSettled([clusters, sentinels].map(async (starting) => (await starting).stop()));
});

describe('sessions on a cluster', () => {
  let cluster: RedisCluster;
  let instances: Instances;

  beforeAll(async () => {
    cluster = await clusters;
    instances = await startInstances(cluster.url);
  });

  afterAll(() => stopAll(instances));

  beforeEach(() => cluster.settled());

  /** The primary of the slot that the probe of the store is in, so that every failover is noticed by everybody. */
  const primary = async () => cluster.primaryOf(await cluster.slotOf('jig:session:probe'));

  const tookOver = (old: { id: string }) =>
    until(async () => (await primary()).id !== old.id, 'a replica has taken over');

  it('are kept when a primary is killed, and its replica takes over', async () => {
    const old = await primary();
    await during(instances, 'cluster, primary killed', async (load) => {
      await kill(old.server);
      await load.isRefused();
      await tookOver(old);
    });
  });

  it('are kept when a primary freezes, and comes back when its replica has taken over', async () => {
    const old = await primary();
    await during(instances, 'cluster, primary frozen', async (load) => {
      old.server.signal('SIGSTOP');
      await load.isRefused();
      await tookOver(old).finally(() => old.server.signal('SIGCONT'));
    });
  });

  it('are kept when a primary is isolated, and no replica can take over', async () => {
    const kept = await primary();
    const others = cluster.nodes.filter(({ id }) => id !== kept.id);
    await during(instances, 'cluster, minority', async (load) => {
      for (const { server } of others) server.signal('SIGSTOP');
      try {
        const isDown = async () => (await kept.server.info('cluster_state', 'CLUSTER', 'INFO')) === 'fail';
        await load.isRefused();
        await until(isDown, 'the primary knows that it is in the minority');
      } finally {
        for (const { server } of others) server.signal('SIGCONT');
      }
    });
  });

  it('are all kept while slots move to another node', async () => {
    const from = await primary();
    const to = (await cluster.primaries()).find(({ id }) => id !== from.id) ?? from;
    const { safe, quick } = await during(instances, 'cluster, resharded', async () => {
      expect(await reshard(cluster, from, to, 40)).toBeGreaterThan(0);
    });
    expect([safe.lost, quick.lost]).toEqual([0, 0]);
  });
});

describe('sessions behind sentinels', () => {
  let group: RedisSentinels;
  let instances: Instances;

  beforeAll(async () => {
    group = await sentinels;
    instances = await startInstances(group.url);
  });

  afterAll(() => stopAll(instances));

  beforeEach(() => group.settled());

  const tookOver = (old: RedisServer) =>
    until(async () => (await group.primary()) !== old, 'a replica has been promoted');

  it('are kept when the primary is killed, and a replica is promoted', async () => {
    const old = await group.primary();
    await during(instances, 'sentinel, primary killed', async (load) => {
      await kill(old);
      await load.isRefused();
      await tookOver(old);
    });
  });

  it.each([0, 1, 2])('are all kept when sentinel %i promotes a replica on request', async (leader) => {
    const old = await group.primary();
    const { safe, quick } = await during(instances, `sentinel ${leader}, planned failover`, async () => {
      await group.sentinels[leader]?.commands(['SENTINEL', 'FAILOVER', 'main']);
      await tookOver(old);
    });
    expect([safe.lost, quick.lost]).toEqual([0, 0]);
  });

  it('are kept when the primary and a sentinel freeze, and come back when a replica is promoted', async () => {
    const old = await group.primary();
    const [, sentinel] = group.sentinels;
    // A replica that is not told yet of the new primary acknowledges what the old one writes when it is back.
    const safe = await startOnRedis(notesFeature, { url: group.url, waitForReplicas: 2 });
    onTestFinished(async () => {
      for (const server of [...group.servers, ...group.sentinels]) server.signal('SIGCONT');
      await safe.stop();
    });
    await during({ ...instances, safe }, 'sentinel, primary frozen', async (load) => {
      old.signal('SIGSTOP');
      sentinel?.signal('SIGSTOP');
      await load.isRefused();
      await tookOver(old).finally(() => {
        old.signal('SIGCONT');
        sentinel?.signal('SIGCONT');
      });
    });
  });
});
