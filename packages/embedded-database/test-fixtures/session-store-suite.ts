import { setTimeout as sleep } from 'node:timers/promises';
import { sessionStoreCases } from '@jig/sessions/store-suite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ConnectionOptions, PoolOptions } from '../src/connection/connection-options.ts';
import type { Engine } from '../src/engines/engine.ts';
import type { DialectSessionStore } from '../src/session-store/database-session-store.ts';
import { temporaryServer } from './temporary-server.ts';

/** What the suite does with a database beside the store. */
export interface SuiteDatabase {
  /** Gives the rows of the statement. */
  query(statement: string): Promise<unknown>;
  store(): DialectSessionStore;
  end(): Promise<void>;
}

export interface SessionStoreSuiteOptions {
  readonly engine: Engine;
  /** The statements that keep writes from the sessions that there are, and let them in again. */
  readonly lockTable: readonly [begin: string, lock: string, end: string];
  /** The statement that takes the lock of those who migrate, for as long as the connection lives. */
  readonly takeLock: string;
  readonly open: (connection: ConnectionOptions, options: PoolOptions) => SuiteDatabase;
}

const mergeOptions = { limits: { maximumAttributes: 10, maximumBytes: 100 }, timeToLive: 60_000 };

/** What the store of every dialect must do, with a real server. */
export function sessionStoreSuite(title: string, options: SessionStoreSuiteOptions): void {
  const { engine, lockTable, takeLock, open } = options;
  describe(title, () => {
    let stop: () => Promise<void>;
    let connection: ConnectionOptions;
    let database: SuiteDatabase;

    beforeAll(async () => {
      const temporary = await temporaryServer(engine);
      stop = () => temporary.stop();
      connection = temporary.connection;
      database = open(connection, { size: 10, connectTimeout: 5000, queryTimeout: 5000 });
    }, 60_000);

    afterAll(async () => {
      await database.end();
      await stop();
    });

    const create = async () => {
      const store = database.store();
      await store.migrate();
      await database.query('TRUNCATE jig_session');
      return { store };
    };

    describe('as every store', () => {
      it.each(sessionStoreCases)('$name', { timeout: 30_000 }, (storeCase) => storeCase.run(create));
    });

    it('migrates once, however many instances start at once', async () => {
      await database.query('DROP TABLE IF EXISTS jig_session, jig_schema');
      const stores = Array.from({ length: 8 }, () => database.store());
      await Promise.all(stores.map((store) => store.migrate()));
      expect(await database.query('SELECT version FROM jig_schema')).toEqual([{ version: 1 }]);
    });

    describe('while another instance migrates', () => {
      const impatient = { size: 1, connectTimeout: 1000, queryTimeout: 500 };
      let other: SuiteDatabase;
      let own: SuiteDatabase;

      beforeEach(async () => {
        await database.query('DROP TABLE IF EXISTS jig_session, jig_schema');
        other = open(connection, impatient);
        own = open(connection, impatient);
        await other.query(takeLock);
      });

      afterEach(async () => {
        await own.end();
        // Ended already, unless the test has failed.
        await other.end().catch(() => {});
      });

      it('waits for it longer than a query may take', async () => {
        const migrated = own.store().migrate();
        await sleep(1500);
        await other.end();
        await migrated;
        expect(await own.query('SELECT version FROM jig_schema')).toEqual([{ version: 1 }]);
      });

      it('says so when it has waited too long, and can be asked again', async () => {
        const store = own.store();
        await expect(store.migrate(1000)).rejects.toMatchObject({ code: 'JIG_DATABASE_SCHEMA_HELD' });
        await other.end();
        await store.migrate();
      });
    });

    it('leaves the tables of a newer version alone', async () => {
      const { store } = await create();
      await database.query('INSERT INTO jig_schema VALUES (99)');
      await expect(store.migrate()).rejects.toMatchObject({ code: 'JIG_DATABASE_SCHEMA_NEWER', version: 99 });
      await database.query('DELETE FROM jig_schema WHERE version = 99');
    });

    it('keeps apart what is damaged: only that session fails, whatever is asked at the same time', async () => {
      const { store } = await create();
      const entries = new Map([['a', '1']]);
      const ids = ['one', 'damaged', 'other'];
      for (const id of ids) await store.merge(id, entries, mergeOptions);
      await database.query(`UPDATE jig_session SET attributes = '[1]' WHERE id = 'damaged'`);
      const damaged = { reason: { name: 'DamagedSessionError' } };
      const reads = await Promise.allSettled(ids.map(async (id) => store.read(id)));
      expect(reads).toMatchObject([{ value: { attributes: entries } }, damaged, { value: { attributes: entries } }]);
      const merges = await Promise.allSettled(ids.map(async (id) => store.merge(id, entries, mergeOptions)));
      // MySQL replaces what is no object by what is merged into it.
      const merged = merges[1]?.status === 'rejected' ? damaged : { value: 'stored' };
      expect(merges).toMatchObject([{ value: 'stored' }, merged, { value: 'stored' }]);
    });

    it('stores nothing that was refused while a lock was held, and what comes after it', {
      timeout: 30_000,
    }, async () => {
      const { store } = await create();
      const ids = Array.from({ length: 30 }, (_, index) => `id ${index}`);
      const write = async (id: string, value: string, time: number) => {
        const deadline = performance.now() + time;
        return Promise.resolve(store.merge(id, new Map([['a', value]]), { ...mergeOptions, deadline })).catch(String);
      };
      for (const id of ids) expect(await write(id, 'first', 5000)).toBe('stored');
      const holder = open(connection, { size: 1, connectTimeout: 5000, queryTimeout: 0 });
      onTestFinished(() => holder.end());
      const [begin, lock, end] = lockTable;
      await holder.query(begin);
      await holder.query(lock);
      const refused = ids.map((id) => write(id, 'refused', 300));
      const destroyed = Promise.resolve(store.destroy('id 0', performance.now() + 300)).catch(String);
      await sleep(400);
      await holder.query(end);
      for (const outcome of [...(await Promise.all(refused)), await destroyed]) expect(outcome).toContain('deadline');
      expect(await write('id 1', 'newer', 5000)).toBe('stored');
      const values = await Promise.all(ids.map(async (id) => (await store.read(id))?.attributes.get('a')));
      expect(values).toEqual(['first', 'newer', ...ids.slice(2).map(() => 'first')]);
    });

    it('says how long a session lives by the clock of the database, whatever ours shows', async () => {
      const { store } = await create();
      await store.merge('id', new Map([['a', '1']]), mergeOptions);
      const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 10_800_000);
      const timeLeft = (await store.read('id'))?.timeLeft;
      clock.mockRestore();
      expect(timeLeft).toBeGreaterThan(30_000);
      expect(timeLeft).toBeLessThanOrEqual(60_000);
    });

    it('sweeps away what has expired, and nothing else', async () => {
      const { store } = await create();
      await store.merge('short', new Map([['a', '1']]), { ...mergeOptions, timeToLive: 1 });
      await store.merge('long', new Map([['a', '1']]), mergeOptions);
      await expect.poll(() => store.read('short')).toBeUndefined();
      await store.sweep();
      expect(await database.query('SELECT id FROM jig_session')).toEqual([{ id: 'long' }]);
    });
  });
}
