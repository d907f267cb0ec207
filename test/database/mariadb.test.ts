import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningDatabase, startDatabase } from '@jig/embedded-database';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const schema = `
create table author (id int primary key auto_increment, name varchar(50) not null);
create table book (
  title varchar(50) primary key,
  author int not null references author (id),
  pages int not null,
  sheets int as (ceil(pages / 2)) stored,
  foreign key (author) references author (id)
);
delimiter //
create function longest() returns int reads sql data begin return (select max(pages) from book); end//
create trigger at_least_one before insert on book for each row begin set new.pages = greatest(new.pages, 1); end//
delimiter ;
create view all_books as select title, name from book join author on author.id = book.author;
create view a_few as select title from all_books;
insert into author (name) values ('Eliot; George');
insert into book (title, author, pages) values ('Middlemarch', 1, 880);
`;

async function ask(url: string, ...statements: string[]): Promise<unknown[]> {
  const client = await createConnection(url);
  try {
    let rows: RowDataPacket[] = [];
    for (const sql of statements) [rows] = await client.query<RowDataPacket[]>(sql);
    return Array.isArray(rows) ? rows.flatMap((row) => Object.values(row)) : [];
  } finally {
    await client.end();
  }
}

describe('a temporary MariaDB', () => {
  let folder: string;
  let database: RunningDatabase;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jig-mariadb-'));
    await writeFile(join(folder, 'schema.sql'), schema);
    database = await startDatabase({ engine: 'mariadb', migrations: join(folder, 'schema.sql') });
  });

  afterAll(async () => {
    await database?.stop();
    await rm(folder, { recursive: true });
  });

  it('has an address on the loopback address, and variables', async () => {
    expect(database.url).toBe(`mysql://jig:${database.environment.MYSQL_PWD}@127.0.0.1:${database.port}/jig`);
    expect(database.environment).toMatchObject({ MYSQL_PORT: String(database.port), MYSQL_DATABASE: 'jig' });
    expect(await ask(database.url, 'select sheets from book')).toEqual([440]);
  });

  it('is made beside others that are made at the same time', async () => {
    await chmod(folder, 0o755);
    const start = (name: number) => startDatabase({ engine: 'mariadb', folder: join(folder, `beside-${name}`) });
    const others = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(start));
    for (const other of others) if (other.status === 'fulfilled') await other.value.stop();
    expect(others.map(({ status }) => status)).toEqual(Array(6).fill('fulfilled'));
  });

  it('clones tables with their rows, views, routines and triggers, each copy its own', async () => {
    await using copy = await database.clone();
    await ask(copy.url, `insert into book (title, author, pages) values ('Romola', 1, -5)`);
    expect(await ask(copy.url, 'select pages from book order by title')).toEqual([880, 1]);
    expect(await ask(copy.url, 'select longest()')).toEqual([880]);
    expect(await ask(copy.url, 'select title from a_few order by title')).toEqual(['Middlemarch', 'Romola']);
    expect(await ask(database.url, 'select count(*) from a_few')).toEqual([1]);
    expect(await ask(copy.url, `insert into book (title, author, pages) values ('x', 99, 1)`).catch(String)).toMatch(
      /foreign key constraint fails/,
    );
  });

  it('dumps a database into a file, which another restores', async () => {
    const file = join(folder, 'dump.sql');
    await database.dump(file);
    expect(await readFile(file, 'utf8')).toContain('Middlemarch');
    await using other = await database.create('other');
    await other.restore(file);
    expect(await ask(other.url, 'select name from all_books')).toEqual(['Eliot; George']);
  });

  it('is not what somebody gets who asks for MySQL', async () => {
    await expect(startDatabase({ engine: 'mysql' }).then((other) => other.stop())).rejects.toMatchObject({
      code: 'JIG_DATABASE_SERVER_UNAVAILABLE',
      message: expect.stringMatching(
        /^MySQL cannot be started: \S+mysqld is MariaDB [\d.]+, which the engine mariadb runs/,
      ),
    });
  });

  it('is reached by the socket when it has no port', async () => {
    await using other = await startDatabase({ engine: 'mariadb', port: false });
    expect(other.port).toBeNull();
    expect(await ask(other.url, 'select 42')).toEqual([42]);
  });
});
