import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectDatabase, type RunningDatabase, startDatabase } from '@jig/embedded-database';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeTemporaryFolder, processesWith } from './temporary-folder.ts';

/** Where /proc tells of processes. */
const isLinux = process.platform === 'linux';

async function ask(url: string, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  try {
    let rows: unknown[][] = [];
    for (const text of statements) rows = (await client.query({ text, rowMode: 'array' })).rows;
    return rows.flat();
  } finally {
    await client.end().catch(() => {});
  }
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => ({ code: 'nothing failed', message: '' }),
    (error: { code: string; message: string }) => error,
  );

describe('a temporary database', () => {
  let folder: string;
  let database: RunningDatabase;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jig-migrations-'));
    await mkdir(join(folder, '10_last'));
    await writeFile(join(folder, '2_first.sql'), 'create table notes (id serial primary key, text text not null);');
    await writeFile(join(folder, '10_last', 'migration.sql'), `insert into notes (text) values ('a; b'), ('c');`);
    await writeFile(join(folder, '2_first.down.sql'), 'drop table notes;');
    await writeFile(
      join(folder, '3_dbmate.sql'),
      '-- migrate:up\ncreate index by_text on notes (text);\n-- migrate:down\ndrop table notes;',
    );
    database = await startDatabase({ migrations: folder, settings: { work_mem: '7MB', jit: false } });
  });

  afterAll(async () => {
    await database?.stop();
    await rm(folder, { recursive: true });
  });

  it('describes itself', () => {
    const { engine, version, state, name, url, environment, port } = database;
    expect({ engine, state, name }).toEqual({ engine: 'PostgreSQL', state: 'ready', name: 'jig' });
    expect(version).toMatch(/^18\.\d+$/);
    expect(url).toBe(`postgresql://jig:${environment.PGPASSWORD}@127.0.0.1:${port}/jig`);
    expect(environment).toMatchObject({ DATABASE_URL: url, PGPORT: String(port), PGUSER: 'jig', PGDATABASE: 'jig' });
  });

  it('runs the migrations in the order of their numbers, without down migrations', async () => {
    expect(await ask(database.url, 'select text from notes order by id')).toEqual(['a; b', 'c']);
    expect(await ask(database.url, `select count(*)::int from pg_indexes where indexname = 'by_text'`)).toEqual([1]);
  });

  it('accepts server settings, and does not wait for the disk', async () => {
    expect(await ask(database.url, 'show work_mem')).toEqual(['7MB']);
    expect(await ask(database.url, 'show jit')).toEqual(['off']);
    expect(await ask(database.url, 'show fsync')).toEqual(['off']);
  });

  it.runIf(isLinux)('uses no shared memory outside its folder, which a killed server would leave', async () => {
    expect(await readFile(`/proc/${database.pid}/maps`, 'utf8')).not.toContain('/dev/shm/PostgreSQL.');
  });

  it('is copied without maps of free space and visibility, which VACUUM creates again', async () => {
    const [file] = await ask(database.url, `select pg_relation_filepath('pg_operator')`);
    const map = join(database.folder, 'postgresql', `${String(file)}_vm`);
    await expect(stat(map)).rejects.toThrow('ENOENT');
    await ask(database.url, 'vacuum pg_operator');
    expect((await stat(map)).size).toBeGreaterThan(0);
  });

  it('clones the migrated database while others are connected to it, each copy separate', async () => {
    const client = new pg.Client(database.url);
    await client.connect();
    const [one, two] = await Promise.all([database.clone(), database.clone()]);
    await ask(one.url, `insert into notes (text) values ('mine')`);
    expect(await ask(one.url, 'select count(*)::int from notes')).toEqual([3]);
    expect(await ask(two.url, 'select count(*)::int from notes')).toEqual([2]);
    await client.end();
    await one.drop();
    await two[Symbol.asyncDispose]();
    expect((await failure(ask(one.url, 'select 1'))).code).toBe('3D000');
  });

  it('drops a copy that somebody is still connected to', async () => {
    const copy = await database.clone();
    const client = new pg.Client(copy.url);
    const lost = once(client, 'error');
    client.on('error', () => {});
    await client.connect();
    await copy.drop();
    expect(await lost).toHaveLength(1);
  });

  it('creates an empty database by name, and rejects to clone one that is in use', async () => {
    await using empty = await database.create('Größe-1');
    const client = new pg.Client(empty.url);
    await client.connect();
    expect((await client.query('select current_database() as name')).rows).toEqual([{ name: 'Größe-1' }]);
    const { code, message } = await failure(database.clone('Größe-1'));
    expect(code).toBe('JIG_DATABASE_TEMPLATE_UNUSABLE');
    expect(message).toContain('while somebody is connected to it');
    await client.end();
  });

  it.each(['jig_template', null, { toString: null }, 'a/b'])('rejects to create %s', async (name) => {
    const created = Reflect.apply((given: string) => database.create(given), undefined, [name]);
    expect(await failure(created)).toMatchObject({ code: 'JIG_DATABASE_OPTION_INVALID' });
  });

  it('is available to connectDatabase in another process, which clones the same template', async () => {
    await using server = connectDatabase(database.url);
    await using copy = await server.clone();
    expect(await ask(copy.url, 'select count(*)::int from notes')).toEqual([2]);
  });

  it('restarts with its data when the server was killed, and clones again', async () => {
    await using copy = await database.clone();
    await ask(copy.url, `insert into notes (text) values ('kept')`, 'checkpoint');
    const cloning = failure(database.clone());
    process.kill(database.pid ?? 0, 'SIGKILL');
    await cloning;
    await expect.poll(() => database.state).not.toBe('ready');
    await expect.poll(() => database.state).toBe('ready');
    expect(await ask(copy.url, 'select count(*)::int from notes')).toEqual([3]);
    await (await database.clone()).drop();
  });
});

describe('starting a database', () => {
  it('leaves no process and no folder after a stop, also when the server was killed while it stopped', async () => {
    const database = await startDatabase();
    const { pid, folder } = database;
    const stopping = database.stop();
    process.kill(pid ?? 0, 'SIGKILL');
    await stopping;
    await database.stop();
    expect(database.state).toBe('stopped');
    if (isLinux) await expect.poll(() => processesWith(folder)).toEqual([]);
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
  });

  it.runIf(isLinux)('reports a server that was killed while it started, and leaves nothing', async () => {
    let killer: NodeJS.Timeout | undefined;
    const log = (line: string) => {
      if (line.startsWith('starting PostgreSQL')) killer ??= setInterval(killServers, 1);
    };
    const killServers = () => {
      for (const pid of processesWith('/postgres\0-D\0').filter((each) => parentOf(each) === process.pid))
        process.kill(pid, 'SIGKILL');
    };
    let outcome: unknown;
    // On a busy machine a server may be ready before it is found.
    for (let tries = 0; tries < 10 && !(outcome instanceof Error); tries++) {
      outcome = await startDatabase({ log }).then(
        (database) => {
          clearInterval(killer);
          return database.stop();
        },
        (error: unknown) => error,
      );
      clearInterval(killer);
      killer = undefined;
    }
    expect(outcome).toMatchObject({ code: 'JIG_DATABASE_START_FAILED' });
  });

  it('stops when its signal is aborted, before and after it is ready', async () => {
    const early = new AbortController();
    const starting = failure(startDatabase({ signal: early.signal }));
    early.abort(new Error('changed my mind'));
    expect((await starting).message).toBe('changed my mind');
    const late = new AbortController();
    const database = await startDatabase({ signal: late.signal });
    late.abort();
    await expect.poll(() => database.state).toBe('stopped');
  });

  it('runs a function as migrations, and names its failure', async () => {
    const outcome = failure(
      startDatabase({
        migrations: async ({ url, environment }) => {
          await ask(url, 'create table made (n int)');
          throw new Error(`no more for ${environment.PGDATABASE}`);
        },
      }),
    );
    expect(await outcome).toMatchObject({
      code: 'JIG_DATABASE_MIGRATION_FAILED',
      message: 'The function given as migrations failed: no more for jig',
    });
  });
});

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}

/** statfs(2) gives this number for ext4. */
const ext4 = 0xef53;
const onExt4 = ['/tmp', '/var/tmp'].find((folder) => existsSync(folder) && statfsSync(folder).type === ext4);
const hasAttributes = isLinux && existsSync('/usr/bin/lsattr');

describe.runIf(onExt4 !== undefined && hasAttributes)('a temporary database on ext4', () => {
  it('puts each clone in another part of the disk than removed ones', async () => {
    const folder = await makeTemporaryFolder('jig-database-test-', onExt4);
    vi.stubEnv('TMPDIR', folder.path);
    try {
      const numbers: unknown[] = [];
      for (const _ of [1, 2]) {
        await using database = await startDatabase();
        const base = join(database.folder, 'postgresql', 'base');
        for (const spread of [folder.root, base])
          expect((await promisify(execFile)('lsattr', ['-d', spread])).stdout.split(' ')[0]).toContain('T');
        await database.clone();
        numbers.push(...(await ask(database.url, `select oid from pg_database where datname ~ '^jig_'`)));
      }
      expect(new Set(numbers).size).toBe(2);
    } finally {
      vi.unstubAllEnvs();
      await folder.remove();
    }
  });
});
