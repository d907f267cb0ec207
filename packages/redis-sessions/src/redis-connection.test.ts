import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { RedisServer, redisVersion } from '../test-fixtures/redis-server.ts';
import { RedisConnection } from './redis-connection.ts';

describe('the connection to Redis', () => {
  const servers: RedisServer[] = [];
  const folders: string[] = [];
  const connections: RedisConnection[] = [];

  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.stop();
    await Promise.all(servers.splice(0).map((server) => server.stop()));
    await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
  });

  async function startServer(...flags: string[]): Promise<RedisServer> {
    const server = await RedisServer.start(...flags);
    servers.push(server);
    return server;
  }

  /** A primary with the name main, and a sentinel that names it. */
  async function startSentinel(): Promise<{ primary: RedisServer; sentinel: RedisServer }> {
    const primary = await startServer();
    const folder = await mkdtemp(join(tmpdir(), 'jig-redis-sentinel-'));
    folders.push(folder);
    const file = join(folder, 'sentinel.conf');
    await writeFile(file, `sentinel monitor main 127.0.0.1 ${primary.port} 1\n`);
    const sentinel = await RedisServer.startSentinel(file);
    servers.push(sentinel);
    return { primary, sentinel };
  }

  function connect(url: string, lines: string[] = [], time = 5000): RedisConnection {
    const log = { info: (line: string) => void lines.push(line), warn: (line: string) => void lines.push(line) };
    const connection = new RedisConnection({ url, connectTimeout: time, commandTimeout: time, log });
    connections.push(connection);
    return connection;
  }

  it('describes what it is connected to', async () => {
    const connection = connect((await startServer()).url);
    expect(connection.state).toBe('new');
    await connection.start();
    expect(connection.state).toBe('ready');
    expect(connection.version).toBe(redisVersion());
    await expect.poll(() => connection.health()).toMatchObject({ ok: true, state: 'ready' });
    connection.stop();
    connection.stop();
    expect(connection.state).toBe('stopped');
  });

  it('fails at once while Redis is down, and works again when Redis is back', async () => {
    const server = await startServer();
    const lines: string[] = [];
    const connection = connect(server.url, lines);
    await connection.start();
    await server.stop();
    await expect.poll(() => connection.state).toBe('reconnecting');
    await expect(connection.send(['PING'])).rejects.toMatchObject({ code: 'JIG_REDIS_NOT_READY' });
    expect(await connection.health()).toMatchObject({ ok: false, state: 'reconnecting' });
    await server.restart();
    await expect.poll(() => connection.state).toBe('ready');
    expect(await connection.send(['PING'])).toBe('PONG');
    expect(connection.reconnections).toBe(1);
    expect(lines).toEqual([
      expect.stringContaining('cannot be reached'),
      expect.stringContaining('can be reached again'),
    ]);
  });

  it('times out while Redis is frozen, and works again afterwards', async () => {
    const server = await startServer();
    const connection = connect(server.url, [], 500);
    await connection.start();
    server.signal('SIGSTOP');
    await expect(connection.send(['PING'])).rejects.toMatchObject({ code: 'JIG_REDIS_TIMEOUT' });
    expect(await connection.health()).toMatchObject({ ok: false, state: 'no answer' });
    server.signal('SIGCONT');
    await expect.poll(() => connection.send(['PING'])).toBe('PONG');
  });

  it('start() tries again when Redis was too slow to answer', async () => {
    const server = await startServer();
    let connections = 0;
    const proxy = createServer((client) => {
      const isSlow = ++connections === 1;
      const redis = createConnection(server.port, '127.0.0.1');
      for (const socket of [client, redis]) socket.on('error', () => {});
      client.on('data', (chunk) => isSlow && String(chunk).includes('$4\r\nINFO') && redis.unpipe(client));
      client.pipe(redis).pipe(client);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const connection = connect(`redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`, [], 500);
    await connection.start();
    expect(connection.state).toBe('ready');
    expect(connections).toBeGreaterThan(1);
    connection.stop();
    proxy.close();
  });

  it('starts with the sentinel that answers, although another is silent', async () => {
    const { primary, sentinel } = await startSentinel();
    const silent = createServer((client) => client.on('error', () => {})).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const hosts = [(silent.address() as AddressInfo).port, sentinel.port].map((port) => `127.0.0.1:${port}`);
    const connection = connect(`redis+sentinel://${hosts.join(',')}/main`, [], 500);
    await connection.start();
    expect(connection.primaries).toEqual([`127.0.0.1:${primary.port}`]);
    expect(await connection.send(['PING'])).toBe('PONG');
    connection.stop();
    silent.close();
  });

  it('writes to a server that the sentinels name only if it is a primary', async () => {
    const { primary, sentinel } = await startSentinel();
    const connection = connect(`redis+sentinel://127.0.0.1:${sentinel.port}/main`);
    await connection.start();
    const set = (value: string) => connection.write(['SET', 'key', value], 'key').catch(({ code }) => code);
    expect(await set('first')).toBe('OK');
    const other = await startServer();
    await other.commands(['REPLICAOF', '127.0.0.1', String(primary.port)]);
    await expect.poll(async () => (await other.commands(['GET', 'key']))[0]).toBe('first');
    await other.commands(['CONFIG', 'SET', 'replica-read-only', 'no']);
    // As an administrator who tells the sentinel too early.
    await sentinel.commands(['SENTINEL', 'REMOVE', 'main']);
    await sentinel.commands(['SENTINEL', 'MONITOR', 'main', '127.0.0.1', String(other.port), '1']);
    await primary.stop();
    await expect.poll(() => set('refused')).toMatch(/^JIG_REDIS/);
    expect((await other.commands(['GET', 'key']))[0]).toBe('first');
    await other.commands(['REPLICAOF', 'NO', 'ONE']);
    await expect.poll(() => set('second')).toBe('OK');
    expect((await other.commands(['GET', 'key']))[0]).toBe('second');
  });

  it('start() tries again when no sentinel answered in time', async () => {
    const { sentinel } = await startSentinel();
    let connections = 0;
    const way = createServer((client) => {
      client.on('error', () => {});
      if (++connections === 1) return;
      client.pipe(createConnection(sentinel.port, '127.0.0.1').on('error', () => {})).pipe(client);
    }).listen(0, '127.0.0.1');
    await once(way, 'listening');
    const lines: string[] = [];
    const connection = connect(`redis+sentinel://127.0.0.1:${(way.address() as AddressInfo).port}/main`, lines);
    await connection.start();
    expect(connection.state).toBe('ready');
    expect(lines).toEqual([expect.stringMatching(/is not ready \(Socket timeout.*\); trying again$/)]);
    connection.stop();
    way.close();
  });

  it('reports at once why no sentinel can be used', async () => {
    const { primary, sentinel } = await startSentinel();
    const start = (hosts: string) => connect(`redis+sentinel://${hosts}`).start().catch(String);
    const gone = await startServer();
    await gone.stop();
    const free = `127.0.0.1:${gone.port}`;
    expect(await start(`${free}/main`)).toMatch(/cannot be used: connect ECONNREFUSED/);
    expect(await start(`127.0.0.1:${sentinel.port}/other`)).toMatch(
      /cannot be used: ERR No such master with that name/,
    );
    await primary.commands(['CONFIG', 'SET', 'requirepass', 'secret']);
    // That one sentinel is away matters to nobody as long as another answers.
    expect(await start(`${free},127.0.0.1:${sentinel.port}/main`)).toMatch(/cannot be used: NOAUTH/);
  });
});
