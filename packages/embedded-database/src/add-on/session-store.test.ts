import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sessionStoreCases } from '@jig/sessions/store-suite';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryServer } from '../../test-fixtures/temporary-server.ts';
import type { ConnectionOptions } from '../connection/address.ts';
import { ExternalDatabase } from './database.ts';
import { DatabasePool } from './database-pool.ts';
import { DatabaseSessionStore } from './session-store.ts';

const mergeOptions = { limits: { maximumAttributes: 10, maximumBytes: 100 }, timeToLive: 60_000 };

describe('sessions in PostgreSQL', () => {
  let running: Awaited<ReturnType<typeof temporaryServer>>;
  /** For what tests do beside the store. */
  let direct: Pool;

  beforeAll(async () => {
    running = await temporaryServer();
    direct = new Pool(running.connection);
  });

  afterAll(async () => {
    await direct.end();
    await running.stop();
  });

  function storeAt(connection: ConnectionOptions, { connectTimeout = 60_000, startTimeout = 60_000 } = {}) {
    const database = new ExternalDatabase(connection, { connectTimeout });
    const pool = new DatabasePool(database, { size: 10, connectTimeout, queryTimeout: 60_000 });
    return new DatabaseSessionStore(database, pool, startTimeout);
  }

  async function create() {
    const store = storeAt(running.connection);
    await store.start();
    onTestFinished(() => store.stop());
    await direct.query('TRUNCATE jig_session');
    return { store };
  }

  describe('as every store', () => {
    it.each(sessionStoreCases)('$name', (storeCase) => storeCase.run(create));
  });

  it('creates its table once for many instances, and needs no right to create one that exists', async () => {
    await direct.query('DROP TABLE IF EXISTS jig_session');
    const stores = Array.from({ length: 8 }, () => storeAt(running.connection));
    await Promise.all(stores.map((store) => store.start()));
    await Promise.all(stores.map((store) => store.stop()));
    await direct.query(`CREATE ROLE plain LOGIN PASSWORD 'plain'`);
    await direct.query('GRANT SELECT, INSERT, UPDATE, DELETE ON jig_session TO plain');
    const plain = storeAt({ ...running.connection, user: 'plain', password: 'plain' });
    await plain.start();
    expect(await plain.merge('id', new Map([['a', '1']]), mergeOptions)).toBe('stored');
    await plain.stop();
  });

  it('rejects only calls for a damaged session, also in the same batch', async () => {
    const { store } = await create();
    const entries = new Map([['a', '1']]);
    const ids = ['one', 'damaged', 'other'];
    for (const id of ids) await store.merge(id, entries, mergeOptions);
    await direct.query(`UPDATE jig_session SET attributes = '[1]' WHERE id = 'damaged'`);
    const damaged = { reason: { name: 'DamagedSessionError' } };
    const reads = await Promise.allSettled(ids.map((id) => store.read(id)));
    expect(reads).toMatchObject([{ value: { attributes: entries } }, damaged, { value: { attributes: entries } }]);
    const merges = await Promise.allSettled(ids.map((id) => store.merge(id, entries, mergeOptions)));
    expect(merges).toMatchObject([{ value: 'stored' }, damaged, { value: 'stored' }]);
  });

  it('stores no write whose deadline passed while a lock was held, but the next one', async () => {
    const { store } = await create();
    const ids = Array.from({ length: 30 }, (_, index) => `id ${index}`);
    const write = (id: string, value: string, time: number) => {
      const deadline = performance.now() + time;
      return store.merge(id, new Map([['a', value]]), { ...mergeOptions, deadline }).catch(String);
    };
    for (const id of ids) expect(await write(id, 'first', 60_000)).toBe('stored');
    const holder = await direct.connect();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE jig_session IN ACCESS EXCLUSIVE MODE');
    const refused = ids.map((id) => write(id, 'refused', 300));
    const destroyed = store.destroy('id 0', performance.now() + 300).catch(String);
    await sleep(400);
    await holder.query('COMMIT');
    holder.release();
    for (const outcome of [...(await Promise.all(refused)), await destroyed]) expect(outcome).toContain('deadline');
    expect(await write('id 1', 'newer', 60_000)).toBe('stored');
    const values = await Promise.all(ids.map(async (id) => (await store.read(id))?.attributes.get('a')));
    expect(values).toEqual(['first', 'newer', ...ids.slice(2).map(() => 'first')]);
  });

  it('measures the time left by the clock of the database', async () => {
    const { store } = await create();
    await store.merge('id', new Map([['a', '1']]), mergeOptions);
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 10_800_000);
    const timeLeft = (await store.read('id'))?.timeLeft;
    clock.mockRestore();
    expect(timeLeft).toBeGreaterThan(30_000);
    expect(timeLeft).toBeLessThanOrEqual(60_000);
  });

  it('removes expired sessions only', async () => {
    const { store } = await create();
    await store.merge('short', new Map([['a', '1']]), { ...mergeOptions, timeToLive: 1 });
    await store.merge('long', new Map([['a', '1']]), mergeOptions);
    await expect.poll(() => store.read('short')).toBeUndefined();
    await store.sweep();
    expect((await direct.query('SELECT id FROM jig_session')).rows).toEqual([{ id: 'long' }]);
  });

  it('waits at the start for a database that is too busy to take a connection, but not for ever', async () => {
    const busy = createServer((socket) => {
      const real = connect({ host: running.connection.host, port: running.connection.port ?? 0 });
      onTestFinished(() => void [socket, real].map((each) => each.destroy()));
      setTimeout(() => socket.pipe(real).pipe(socket), 1000);
    });
    await once(busy.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void busy.close());
    const connection = { ...running.connection, port: (busy.address() as AddressInfo).port };
    const store = storeAt(connection, { connectTimeout: 300 });
    await store.start();
    await store.stop();
    const failed = storeAt(connection, { startTimeout: 300 }).start();
    await expect(failed).rejects.toThrow(/^PostgreSQL cannot be reached right now \(.*timeout.*\)/);
  });
});
