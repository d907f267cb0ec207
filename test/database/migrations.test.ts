import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type StartDatabaseOptions, startDatabase } from '@jig/embedded-database';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask } from './ask.ts';

const dumped = fileURLToPath(new URL('fixtures/dumped.sql', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jig-migrations-'));
  // The user that runs the server under root has to get through.
  await chmod(folder, 0o755);
});
afterEach(() => rm(folder, { recursive: true }));

const file = (name: string) => join(folder, name);

describe('a file that pg_dump made, as migration', () => {
  it('runs with its rows, creates the missing owner, and keeps its settings in its session', async () => {
    await copyFile(dumped, file('001.sql'));
    await writeFile(file('002.sql'), "create table next (n int); insert into visit values ('/next', 1);");
    const lines: string[] = [];
    await using database = await startDatabase({ migrations: folder, log: (line) => lines.push(line) });
    expect(await ask(database.url, 'select title, notes from shop.book order by id')).toEqual([
      'Middlemarch',
      'two\nlines; and a tab\t',
      `It's \\. a; "title"`,
      null,
      'Größe',
      '',
    ]);
    expect(await ask(database.url, 'select page from visit order by page')).toEqual(['/', '/next']);
    expect(await ask(database.url, `select tableowner from pg_tables where tablename = 'book'`)).toEqual([
      'shop_owner',
    ]);
    expect(await ask(database.url, `insert into shop.book (title) values ('The Waves') returning id`)).toEqual([4]);
    expect(lines.filter((line) => line.startsWith('The role'))).toEqual([
      expect.stringMatching(
        /^The role "shop_owner" that .*001\.sql names is missing, so it was made, without the right to log in\.$/,
      ),
    ]);
  });

  it('names the line of rejected rows', async () => {
    await writeFile(file('001.sql'), 'create table n (n int);\ncopy n from stdin;\n1\nx\n\\.\n');
    await expect(startDatabase({ migrations: folder })).rejects.toMatchObject({
      message: expect.stringMatching(/001\.sql failed at line 2: invalid input syntax for type integer: "x"/),
    });
  });
});

describe('a database that is kept', () => {
  /** What it warns of while it starts with these options and a folder. */
  async function start(options: StartDatabaseOptions, use: (url: string) => Promise<unknown> = async () => {}) {
    const warnings: string[] = [];
    const log = (line: string) => warnings.push(line);
    await using database = await startDatabase({ ...options, folder: file('kept'), log });
    await use(database.url);
    await using copy = await database.clone();
    return { warnings: warnings.filter((line) => line.includes('has changed')), clone: copy.url };
  }

  it('runs new migrations at the next start, and reports changed ones', async () => {
    const migrations = file('migrations.d');
    await mkdir(migrations);
    await writeFile(join(migrations, '1.sql'), 'create table notes (text text);');
    const seed = file('seed.sql');
    await writeFile(seed, `insert into notes values ('seeded');`);
    const options = { migrations, seed };
    await start(options, (url) => ask(url, `insert into notes values ('kept')`));
    expect((await start(options)).warnings).toEqual([]);
    await writeFile(join(migrations, '1.sql'), 'create table notes (text text, more text);');
    await writeFile(join(migrations, '2.sql'), 'alter table notes add length int;');
    const { warnings } = await start(options, async (url) =>
      expect(await ask(url, 'select text, length from notes order by text')).toEqual(['kept', null, 'seeded', null]),
    );
    expect(warnings).toEqual([expect.stringMatching(/1\.sql has changed since it ran in this database/)]);
  });

  it('calls a function that migrates at each start, and one that seeds once', async () => {
    const calls: string[] = [];
    const options = { migrations: () => calls.push('migrated'), seed: () => calls.push('seeded') };
    await start(options);
    await start(options);
    expect(calls).toEqual(['migrated', 'seeded', 'migrated']);
  });
});
