import { appendFile, chmod, chown, cp, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EngineSuiteTools, engineSuite } from '../../test-fixtures/engine-suite.ts';
import { quietServer } from '../../test-fixtures/temporary-server.ts';
import { PostgresqlClient, postgresqlConfig } from '../connection/postgresql-client.ts';
import { EmbeddedDatabase } from '../embedded-database.ts';
import { postgresql } from './postgresql.ts';

const failedStarts = ({ initialised }: EngineSuiteTools) =>
  describe('that cannot start', () => {
    let home: string;

    beforeAll(async () => {
      home = await mkdtemp(join(tmpdir(), 'jig-words-'));
      await chmod(home, 0o755);
      await initialised(home);
    });

    afterAll(() => rm(home, { recursive: true, force: true }));

    /** Does this to a file of the data, and gives what the next start says. */
    async function said(file: string, change: (path: string) => Promise<void>): Promise<string> {
      const path = join(home, 'postgresql', file);
      const { uid, gid } = await stat(path);
      await cp(path, `${path}.kept`, { preserveTimestamps: true });
      await change(path);
      const database = new EmbeddedDatabase({ ...quietServer, engine: postgresql, home, temporary: false });
      const error: unknown = await database.start().catch((reason: unknown) => reason);
      await database.stop();
      await writeFile(path, await readFile(`${path}.kept`));
      // As root, a file that was missing would belong to root, and the server runs as somebody else.
      await chown(path, uid, gid);
      await rm(`${path}.kept`);
      const { code, message } = error as { code: string; message: string };
      return `${code}: ${message.replaceAll(home, '')}`;
    }

    it.each([
      [
        'postgresql.conf',
        'this is no setting',
        /postgresql\.conf: syntax error in line \d+, near token "no"\. Correct/,
      ],
      [
        'postgresql.conf',
        'bufers = 1',
        /postgresql\.conf: unrecognized configuration parameter "bufers" in line \d+\./,
      ],
      [
        'postgresql.conf',
        'max_connections = lots',
        /postgresql\.conf: invalid value for parameter "max_connections": "lots"\./,
      ],
      [
        'postgresql.auto.conf',
        'bufers = 1',
        /postgresql\.auto\.conf: unrecognized configuration parameter "bufers" in line/,
      ],
      ['pg_hba.conf', 'everybody welcome', /pg_hba\.conf: invalid connection type "everybody" in line \d+\./],
    ])('names %s and the line %j, and blames no setting of ours', async (file, line, sentence) => {
      const text = await said(file, (path) => appendFile(path, `${line}\n`));
      expect(text).toMatch(/^JIG_DATABASE_SETTING_REFUSED: /);
      expect(text).toMatch(sentence);
      expect(text).not.toMatch(/serverSettings|\/proc|\.\./);
    });

    it.each([
      [
        'cut off',
        /damaged \(could not read file "global\/pg_control": read 100 of \d+\)/,
        (path: string) => truncate(path, 100),
      ],
      [
        'empty',
        /damaged \(could not read file "global\/pg_control": read 0 of \d+\)/,
        (path: string) => truncate(path, 0),
      ],
      ['missing', /damaged \(could not find the database system\)/, (path: string) => rm(path)],
      ['zeros', /damaged \([a-z][^)]+\)/, (path: string) => writeFile(path, Buffer.alloc(8192))],
    ])('says what is damaged when pg_control is %s', async (_how, sentence, change) => {
      const text = await said('global/pg_control', change);
      expect(text).toMatch(/^JIG_DATABASE_DAMAGED: /);
      expect(text).toMatch(sentence);
    });
  });

engineSuite(
  'PostgreSQL',
  {
    engine: postgresql,
    async query(connection, ...statements) {
      const client = new PostgresqlClient(postgresqlConfig(connection, { connectTimeout: 5000, queryTimeout: 5000 }));
      client.on('error', () => {});
      await client.connect();
      try {
        let rows: unknown[][] = [];
        for (const text of statements) rows = (await client.query({ text, rowMode: 'array' })).rows;
        return rows;
      } finally {
        await client.end();
      }
    },
    age: (dataFolder) => writeFile(join(dataFolder, 'PG_VERSION'), '17\n'),
    damage: (dataFolder) => writeFile(join(dataFolder, 'global', 'pg_control'), Buffer.alloc(8192, 7)),
    smallDisks: [10, 38, 40, 42],
    fatalOnFullDisk: `SELECT pg_logical_emit_message(true, 'fill', repeat('x', 1000000))`,
    setting: { name: 'work_mem', value: '7MB', query: 'SHOW work_mem', shown: '7MB' },
  },
  failedStarts,
);
