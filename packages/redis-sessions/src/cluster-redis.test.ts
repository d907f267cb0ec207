import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RedisServer } from '../test-fixtures/redis-server.ts';
import { ClusterRedis } from './cluster-redis.ts';
import { type HostAndPort, parseAddress } from './redis-address.ts';

/** As a node that is frozen: it accepts connections, and that is all. */
async function startSilentServer() {
  const silent = { port: 0, connections: 0, open: 0 };
  const server = createServer((socket) => {
    silent.connections++;
    silent.open++;
    socket
      .resume()
      .on('error', () => {})
      .on('close', () => silent.open--);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  silent.port = (server.address() as AddressInfo).port;
  return silent;
}

/** A cluster of one node. */
async function startNode(): Promise<RedisServer> {
  const node = await RedisServer.start('--cluster-enabled', 'yes');
  onTestFinished(() => node.stop());
  await node.commands(['CLUSTER', 'ADDSLOTSRANGE', '0', '16383']);
  return node;
}

describe('the client of a cluster, when it is replaced', () => {
  it('is tried again elsewhere when a node accepts the connection and does not answer', async () => {
    const [node, silent] = [await startNode(), await startSilentServer()];
    const [nodeHost, silentHost] = [node, silent].map(({ port }) => ({ host: '127.0.0.1', port }));
    const hosts = [nodeHost] as [HostAndPort];
    const cluster = new ClusterRedis({
      address: { ...parseAddress('redis+cluster://'), hosts },
      connectTimeout: 200,
      commandTimeout: 200,
      idleTimeout: 3000,
      wait: { replicas: 0, timeout: 1 },
      events: { away: () => {}, back: () => {}, replaced: () => {} },
    });
    onTestFinished(() => cluster.destroy());
    const clients = async () => {
      const [list] = await node.commands(['CLIENT', 'LIST']);
      return [...String(list).matchAll(/^id=(\d+).* name=jig /gm)].map(([, id]) => id);
    };
    await cluster.connect();
    expect(await cluster.send(['PING'])).toBe('PONG');
    const [first] = await clients();
    expect(first).toBeDefined();
    hosts[0] = silentHost as HostAndPort;
    await expect.poll(() => cluster.suspect() ?? silent.connections).toBe(1);
    hosts[0] = nodeHost as HostAndPort;
    const isReplaced = async () => {
      cluster.suspect();
      await cluster.send(['PING']);
      return !(await clients()).includes(first);
    };
    await expect.poll(isReplaced, { timeout: 12_000 }).toBe(true);
    expect(await cluster.send(['PING'])).toBe('PONG');
    // Those that were not used are closed, when they have been idle for long enough.
    await expect.poll(() => silent.open).toBe(0);
  });
});
