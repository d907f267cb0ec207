import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RedisServer } from '../test-fixtures/redis-server.ts';
import { parseAddress } from './redis-address.ts';
import { RenewedTopology } from './renewed-topology.ts';
import { SingleRedis } from './single-redis.ts';

const events = { away: () => {}, back: () => {}, replaced: () => {} };

/** As a node that is frozen: it accepts connections, and that is all. */
async function startSilentServer(): Promise<string> {
  const server = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a client that is replaced', () => {
  it('is tried again elsewhere when a node accepts the connection and does not answer', async () => {
    const redis = await RedisServer.start();
    onTestFinished(() => redis.stop());
    const urls = [redis.url, await startSilentServer(), redis.url];
    const clients: SingleRedis[] = [];
    const renewed = new RenewedTopology({
      create: (own) => {
        const address = parseAddress(urls[clients.length] ?? redis.url);
        const client = new SingleRedis({
          address,
          connectTimeout: 1000,
          wait: { replicas: 0, timeout: 1 },
          events: own,
        });
        clients.push(client);
        return client;
      },
      events,
      connectTimeout: 200,
      commandTimeout: 200,
    });
    await renewed.connect();
    onTestFinished(() => renewed.destroy());
    const usesTheThird = () => {
      renewed.suspect();
      return clients.slice(2).some(({ isReady }) => isReady);
    };
    await expect.poll(usesTheThird, { timeout: 12_000 }).toBe(true);
    expect(clients[1]?.isOpen).toBe(false);
    expect(await renewed.send(['PING'])).toBe('PONG');
  });
});
