import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryServer } from '../../test-fixtures/temporary-server.ts';
import type { ConnectionOptions } from '../connection/connection-options.ts';
import { postgresql } from '../engines/postgresql.ts';
import { ExternalDatabase } from '../external-database.ts';
import { DatabasePool } from '../pool/database-pool.ts';
import { DatabaseSessionStore } from './database-session-store.ts';

describe('the start of sessions in a database that is busy', () => {
  let running: Awaited<ReturnType<typeof temporaryServer>>;
  let busy: Awaited<ReturnType<typeof busyServer>>;

  beforeAll(async () => {
    running = await temporaryServer(postgresql);
  });

  afterAll(() => running.stop());

  beforeEach(async () => {
    busy = await busyServer(running.connection);
  });

  afterEach(() => busy.stop());

  function storeOf(migrationTimeout: number, lines: string[] = []): DatabaseSessionStore {
    const database = new ExternalDatabase(busy.connection, { connectTimeout: 300 });
    const pool = new DatabasePool(database, { size: 2, connectTimeout: 300, queryTimeout: 30_000 });
    const log = { info: (line: string) => void lines.push(line) };
    return new DatabaseSessionStore(database, pool, { migrationTimeout, log });
  }

  it('goes on when no connection came in time at first, and says so once', async () => {
    busy.unanswered = 2;
    const lines: string[] = [];
    const store = storeOf(60_000, lines);
    await store.start();
    expect(lines).toEqual([expect.stringMatching(/^PostgreSQL is not ready \(.*timeout.*\); trying again$/)]);
    expect(await store.count()).toBe(0);
    expect(busy.connections).toBeGreaterThan(2);
    await store.stop();
  });

  it('ends with a sentence when none comes at all', async () => {
    busy.unanswered = Number.POSITIVE_INFINITY;
    await expect(storeOf(1000).start()).rejects.toThrow(/^PostgreSQL cannot be reached right now \(.*timeout.*\)/);
    expect(busy.connections).toBeGreaterThan(1);
  });

  it('ends when the application is stopped meanwhile', async () => {
    busy.unanswered = Number.POSITIVE_INFINITY;
    const stopped = new AbortController();
    const starting = storeOf(60_000).start(stopped.signal);
    await expect.poll(() => busy.connections).toBeGreaterThan(0);
    stopped.abort();
    await expect(starting).rejects.toThrow('aborted');
  });
});

/** Takes connections in place of a server and does not answer the first of them, as a server without a moment to spare. */
async function busyServer(connection: ConnectionOptions) {
  const sockets = new Set<Socket>();
  const state = { unanswered: 0, connections: 0 };
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    state.connections++;
    if (state.connections <= state.unanswered) return;
    const real = connect(`${connection.socket}/.s.PGSQL.5432`);
    sockets.add(real.on('error', () => {}));
    socket.pipe(real).pipe(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { socket: _, ...rest } = connection;
  return Object.assign(state, {
    connection: { ...rest, host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  });
}
