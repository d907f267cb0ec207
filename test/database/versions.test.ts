import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startDatabase } from '@jig/embedded-database';
import { describe, expect, it, vi } from 'vitest';
import { ask } from './ask.ts';

const debian = '/usr/lib/postgresql';
/** The newest of Debian, which is older than the one that comes along. */
const installed = process.platform === 'linux' ? Math.max(...readdirSync(debian).map(Number)) : 0;

describe.runIf(installed > 0)('the PostgreSQL of the machine', () => {
  it('is started when its version is asked for and it is on the PATH, with names, migrations and clones', async () => {
    vi.stubEnv('PATH', `${process.env.PATH}:${join(debian, String(installed), 'bin')}`);
    const migrations = ({ url }: { url: string }) => ask(url, 'create table t as select 1 as n');
    await using database = await startDatabase({ version: installed, user: 'shop', migrations });
    expect(database.version).toMatch(new RegExp(`^${installed}\\.`));
    expect(await ask(database.url, 'show server_version_num')).toEqual([expect.stringMatching(`^${installed}`)]);
    await using copy = await database.clone();
    await ask(copy.url, 'delete from t');
    await copy.reset();
    expect(await ask(copy.url, 'select n from t')).toEqual([1]);
    vi.unstubAllEnvs();
  });

  it('is started from the folder of its programs, with its installed extensions', async () => {
    await using database = await startDatabase({ programs: join(debian, String(installed)), locale: 'sv' });
    expect(database.version).toMatch(new RegExp(`^${installed}\\.`));
    await ask(database.url, 'create extension pg_trgm');
    expect(await ask(database.url, `select x from unnest('{ö,z,å}'::text[]) x order by x`)).toEqual(['z', 'å', 'ö']);
  });

  it('dumps a production database that loads into the next version, with its roles', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jig-dumps-'));
    const migrations = join(folder, 'production');
    await mkdir(migrations);
    await writeFile(join(migrations, '1.sql'), productionSql);
    const programs = join(debian, String(installed), 'bin');
    await using production = await startDatabase({ programs, user: 'owner', database: 'Shop-1', migrations });
    const dump = async (...flags: string[]) => {
      const env = { ...process.env, ...production.environment };
      const { stdout } = await promisify(execFile)(join(programs, 'pg_dump'), flags, { env });
      const file = join(folder, `${flags.join('')}.sql`);
      await writeFile(file, stdout);
      return file;
    };
    for (const flags of [[], ['--inserts'], ['--clean', '--if-exists']]) {
      const lines: string[] = [];
      const dumped = await dump(...flags);
      await using next = await startDatabase({ migrations: dumped, log: (line) => lines.push(line) });
      const title = `select title from app.book where has_table_privilege('reader', 'app.book', 'select')`;
      expect(await ask(next.url, title), flags.join()).toEqual(['Größe; \\.']);
      const roles = `select rolname from pg_roles where rolname in ('owner', 'reader', 'web') and not rolcanlogin order by 1`;
      expect(await ask(next.url, roles), flags.join()).toEqual(['owner', 'reader', 'web']);
      expect(await ask(next.url, 'select polname from pg_policy')).toEqual(['own']);
      expect(lines.filter((line) => line.startsWith('The role'))).toHaveLength(3);
      await using copy = await next.clone();
      expect(await ask(copy.url, 'select current_database()')).toEqual([copy.name]);
    }
    await rm(folder, { recursive: true });
  });
});

/** What a database in production has beside tables. */
const productionSql = `
  create role reader; create role web login;
  create schema app authorization owner;
  create type app.kind as enum ('novel');
  create table app.author (id serial primary key, name text);
  create table app.book (title text default 'x', author int references app.author, kind app.kind);
  create index by_title on app.book (title);
  create view app.titles as select title from app.book;
  create function app.touched() returns trigger language plpgsql as $body$ begin return new; end $body$;
  create trigger touched before insert on app.book for each row execute function app.touched();
  insert into app.book select 'Größe; \\.';
  grant usage on schema app to reader;
  grant select on app.book to reader;
  revoke select (kind) on app.book from web;
  alter default privileges in schema app grant select on tables to reader;
  alter table app.book enable row level security;
  create policy own on app.book for select to web using (true);`;

describe('like production', () => {
  it('texts are compared by the language of locale', async () => {
    const question = `select 'a' < 'B', lower('É')`;
    await using plain = await startDatabase();
    expect(await ask(plain.url, question)).toEqual([false, 'é']);
    await using english = await startDatabase({ locale: 'en-us' });
    expect(await ask(english.url, question)).toEqual([true, 'é']);
    await using copy = await english.create('other');
    expect(await ask(copy.url, question)).toEqual([true, 'é']);
  });
});
