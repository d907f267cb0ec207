import type { ClusterNode, RedisCluster } from '../../packages/redis-sessions/test-fixtures/redis-cluster.ts';

type Send = (command: string[]) => Promise<unknown>;

/** Moves slots that have keys from one node to another, one by one, as `redis-cli --cluster reshard` does; gives how many keys moved. */
export async function reshard(
  cluster: RedisCluster,
  from: ClusterNode,
  to: ClusterNode,
  count: number,
): Promise<number> {
  const third = (await cluster.primaries()).find(({ id }) => id !== to.id && id !== from.id) ?? to;
  return from.server.connected((source) =>
    to.server.connected((target) =>
      third.server.connected(async (other) => {
        let moved = 0;
        for (const slot of await slotsWithKeys(source, count)) {
          await target(['CLUSTER', 'SETSLOT', slot, 'IMPORTING', from.id]);
          await source(['CLUSTER', 'SETSLOT', slot, 'MIGRATING', to.id]);
          moved += await moveKeys(source, slot, to.server.port);
          // First where the slot goes, so that it is never nobody's.
          for (const send of [target, source, other]) await send(['CLUSTER', 'SETSLOT', slot, 'NODE', to.id]);
        }
        return moved;
      }),
    ),
  );
}

async function slotsWithKeys(source: Send, count: number): Promise<readonly string[]> {
  const keys = (await source(['KEYS', '*'])) as string[];
  const slots = await Promise.all(keys.map((key) => source(['CLUSTER', 'KEYSLOT', key])));
  return [...new Set(slots.map(String))].slice(0, count);
}

async function moveKeys(source: Send, slot: string, port: number): Promise<number> {
  const migrate = ['MIGRATE', '127.0.0.1', String(port), '', '0', '5000', 'KEYS'];
  let moved = 0;
  for (;;) {
    const keys = (await source(['CLUSTER', 'GETKEYSINSLOT', slot, '100'])) as string[];
    if (keys.length === 0) return moved;
    await source([...migrate, ...keys]);
    moved += keys.length;
  }
}
