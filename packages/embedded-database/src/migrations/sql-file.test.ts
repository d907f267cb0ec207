import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryServer } from '../../test-fixtures/temporary-server.ts';
import { connect } from '../connection/postgresql-client.ts';
import { runSqlFile } from './sql-file.ts';

describe('a file of SQL', () => {
  let running: Awaited<ReturnType<typeof temporaryServer>>;
  let client: Client;
  let lines: string[];

  beforeAll(async () => {
    running = await temporaryServer();
    client = await connect(running.connection, { connectTimeout: 60_000, queryTimeout: 0 });
  });

  afterAll(async () => {
    await client.end();
    await running.stop();
  });

  beforeEach(async () => {
    lines = [];
    await client.query('ROLLBACK; DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  });

  const run = (text: string) => runSqlFile(client, { path: '/1.sql', text }, (line) => lines.push(line));
  const rows = async (statement: string) =>
    (await client.query<Record<string, unknown>>(statement)).rows.flatMap((row) => Object.values(row));

  it('runs as a whole or not at all, and names the line of the error', async () => {
    await expect(run(`create table t (n int);\n-- Größe 𝄞\nselect ';';\nselect nothing;`)).rejects.toMatchObject({
      code: 'JIG_DATABASE_MIGRATION_FAILED',
      message: 'The migration /1.sql failed at line 4: column "nothing" does not exist',
      file: '/1.sql',
      line: 4,
    });
    expect(await rows(`select to_regclass('t') as t`)).toEqual([null]);
  });

  it('names no line where PostgreSQL names none', async () => {
    await expect(run(`create table t (n int primary key);\ninsert into t values (1), (1);`)).rejects.toMatchObject({
      message: expect.stringMatching(/^The migration \/1\.sql failed: duplicate key/),
    });
  });

  it('may contain statements of any kind, and transactions', async () => {
    await run(`do $$ begin perform ';'; end $$; begin; create table t (n int); insert into t values (1); commit;
      begin; insert into t values (2); rollback;`);
    expect(await rows('select n from t')).toEqual([1]);
  });

  it.each([
    ['-- migrate:down', 'dbmate'],
    ['-- +goose Down', 'goose'],
  ])('ends before %s of %s', async (line) => {
    await run(`create table t (n int);\n${line}\ndrop table t;`);
    expect(await rows('select count(*)::int from t')).toEqual([0]);
  });

  it('may contain COPY with rows, with Windows line ends, or with none', async () => {
    await run('create table t (n int, s text);\r\ncopy t (n, s) from stdin;\r\n1\tone;\r\n\\.\r\nselect 1;');
    await run('COPY t FROM stdin WITH (FORMAT csv);\n2,"a\nb"\n\\.\n\nCOPY t FROM stdin;\n\\.\n');
    expect(await rows('select s from t order by n')).toEqual(['one;', 'a\nb']);
  });

  it('of your own that names a missing role is rejected', async () => {
    await expect(run('create table t (n int); grant select on t to raeder')).rejects.toMatchObject({
      message: 'The migration /1.sql failed: role "raeder" does not exist',
    });
    expect(lines).toEqual([]);
  });

  it('with commands of psql that pg_dump does not write is rejected', async () => {
    await expect(run('\\connect other\ncreate table t (n int);')).rejects.toMatchObject({
      message: expect.stringMatching(/^The migration \/1\.sql failed at line 1: syntax error at or near "\\"/),
    });
  });
});
