import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startDatabase } from '@jig/embedded-database';
import { describe, expect, it } from 'vitest';
import { ask } from './ask.ts';

const debian = '/usr/lib/postgresql';
/** The newest of Debian, which is older than the one that comes along. */
const installed = process.platform === 'linux' ? Math.max(...readdirSync(debian).map(Number)) : 0;

describe.runIf(installed > 0)('the PostgreSQL of the machine', () => {
  it('is started when its version is asked for, with names, migrations, clones and TLS', async () => {
    const migrations = ({ url }: { url: string }) => ask(url, 'create table t as select 1 as n');
    await using database = await startDatabase({ version: installed, ssl: true, user: 'shop', migrations });
    expect(database.version).toMatch(new RegExp(`^${installed}\\.`));
    expect(await ask(database.url, 'show server_version_num')).toEqual([expect.stringMatching(`^${installed}`)]);
    await using copy = await database.clone();
    await ask(copy.url, 'delete from t');
    await copy.reset();
    expect(await ask(copy.url, 'select n from t')).toEqual([1]);
  });

  it('is started from the folder of its programs, with the extensions that are installed there', async () => {
    await using database = await startDatabase({ programs: join(debian, String(installed)), locale: 'sv' });
    expect(database.version).toMatch(new RegExp(`^${installed}\\.`));
    await ask(database.url, 'create extension pg_trgm');
    expect(await ask(database.url, `select x from unnest('{ö,z,å}'::text[]) x order by x`)).toEqual(['z', 'å', 'ö']);
  });

  it('gives a dump that is a migration of the next', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jig-versions-'));
    const file = join(folder, 'schema.sql');
    {
      await using database = await startDatabase({ version: installed, user: 'owner', database: 'shop' });
      await ask(database.url, `create table book as select 'Größe; \\.' as title`);
      await database.dump(file);
      const { stdout } = await promisify(execFile)(join(debian, String(installed), 'bin/pg_dump'), ['--create'], {
        env: { ...process.env, ...database.environment },
      });
      expect(stdout).toContain('OWNER TO owner');
      await writeFile(file, stdout.replace(/^(?:CREATE|ALTER) DATABASE .*$/gm, ''));
    }
    await using next = await startDatabase({ migrations: file, database: 'shop' });
    expect(await ask(next.url, 'select title from book')).toEqual(['Größe; \\.']);
    await rm(folder, { recursive: true });
  });
});

describe('like production', () => {
  it('texts are compared by the language of locale', async () => {
    const question = `select 'a' < 'B', lower('É')`;
    await using plain = await startDatabase({ port: false });
    expect(await ask(plain.url, question)).toEqual([false, 'é']);
    await using english = await startDatabase({ port: false, locale: 'en-us' });
    expect(await ask(english.url, question)).toEqual([true, 'é']);
    await using copy = await english.create('other');
    expect(await ask(copy.url, question)).toEqual([true, 'é']);
  });

  it('the preset production waits for the disk, vacuums, and writes a log for replicas', async () => {
    await using database = await startDatabase({ port: false, preset: 'production', settings: { work_mem: '7MB' } });
    const names = ['fsync', 'autovacuum', 'wal_level', 'synchronous_commit', 'full_page_writes', 'work_mem'];
    const settings = await ask(database.url, `select ${names.map((name) => `current_setting('${name}')`).join()}`);
    expect(settings).toEqual(['on', 'on', 'replica', 'on', 'on', '7MB']);
  });

  it.each([
    [{ locale: 'not a locale' }, /^The option locale must be a language tag such as en-US, not "not a locale"/],
    [{ engine: 'mariadb', locale: 'en' }, /^The option locale is for PostgreSQL, and the engine is mariadb/],
    [{ preset: 'staging' }, /^The option preset must be production/],
    [{ programs: '/nowhere' }, /^PostgreSQL cannot be started: there is no postgres with its initdb in \/nowhere/],
  ])('options are checked: %j', async (options, message) => {
    await expect(Reflect.apply(startDatabase, undefined, [options])).rejects.toThrow(message);
  });
});
