import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningDatabase, startDatabase } from '@jig/embedded-database';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { ask } from './ask.ts';

const addressAs = ({ port }: RunningDatabase, credentials: string, name: string) =>
  `postgresql://${credentials}@127.0.0.1:${port}/${name}`;

describe('the names of a database', () => {
  it('are those of a docker-compose file, if asked, beside the superuser postgres', async () => {
    const names = { user: 'shop', password: `it's "secret"`, database: 'shop-dev' };
    await using database = await startDatabase({
      ...names,
      migrations: ({ url }) => ask(url, 'create table t (n int)'),
    });
    expect(database.name).toBe('shop-dev');
    expect(database.environment).toMatchObject({ PGUSER: 'shop', PGPASSWORD: names.password, PGDATABASE: 'shop-dev' });
    const who = 'select current_user, usesuper from pg_user where usename = current_user';
    expect(await ask(database.url, who)).toEqual(['shop', true]);
    const secret = encodeURIComponent(names.password);
    expect(await ask(addressAs(database, `postgres:${secret}`, 'postgres'), who)).toEqual(['postgres', true]);
    await using copy = await database.clone();
    expect(await ask(copy.url, 'select tableowner from pg_tables where tablename = $$t$$')).toEqual(['shop']);
    await expect(ask(addressAs(database, 'shop:wrong', 'postgres'), who)).rejects.toMatchObject({ code: '28P01' });
  });

  it('may all be postgres, as in the Docker image', async () => {
    const names = { user: 'postgres', password: 'postgres', database: 'postgres' };
    await using database = await startDatabase({
      ...names,
      migrations: ({ url }) => ask(url, 'create table t (n int)'),
    });
    await using copy = await database.clone();
    expect(await ask(copy.url, 'select count(*)::int from t')).toEqual([0]);
    expect(await ask(database.url, 'select current_database()')).toEqual(['postgres']);
  });

  it('have a new password in each temporary database, and a constant one in a kept database', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jig-names-'));
    const passwords = new Set<string | undefined>();
    for (const options of [{}, {}, { folder }, { folder }, { folder, password: 'mine' }, { folder }]) {
      await using database = await startDatabase(options);
      passwords.add(database.environment.PGPASSWORD);
      expect(await ask(database.url, 'select 1')).toEqual([1]);
    }
    expect(passwords.size).toBe(4);
    expect(passwords).toContain('mine');
    await rm(folder, { recursive: true });
  });
});

describe('a database in a test', () => {
  it('is restored to the migrations by reset, whoever is connected, and to its rows by a transaction', async () => {
    const migrations = ({ url }: { url: string }) => ask(url, 'create table notes as select 1 as n');
    await using database = await startDatabase({ migrations });
    await using copy = await database.clone();
    const pool = new pg.Pool({ connectionString: copy.url });
    pool.on('error', () => {});
    const count = async () => (await pool.query<{ n: number }>('select count(*)::int as n from notes')).rows[0]?.n;
    await pool.query('insert into notes values (2)');
    await pool.query('create table more (n int)');
    await copy.reset();
    expect(await count()).toBe(1);
    expect((await pool.query(`select to_regclass('more') as more`)).rows).toEqual([{ more: null }]);
    const inside = await copy.transaction(async (client) => {
      await client.query('delete from notes');
      return (await client.query('select * from notes')).rowCount;
    });
    expect(inside).toBe(0);
    expect(await count()).toBe(1);
    await expect(
      copy.transaction(async (client) => {
        await client.query('delete from notes');
        throw new Error('as asked');
      }),
    ).rejects.toThrow('as asked');
    expect(await count()).toBe(1);
    await pool.end();
    await ask(database.url, 'drop table notes');
    await database.reset();
    expect(await ask(database.url, 'select n from notes')).toEqual([1]);
    await using empty = await database.create('empty');
    await ask(empty.url, 'create table more (n int)');
    await empty.reset();
    expect(await ask(empty.url, `select to_regclass('more')`)).toEqual([null]);
  });

  it('cannot be reset without migrations', async () => {
    await using database = await startDatabase();
    await expect(database.reset()).rejects.toMatchObject({ code: 'JIG_DATABASE_TEMPLATE_UNUSABLE' });
  });
});
