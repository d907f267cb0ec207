import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PostgresqlClient, postgresqlConfig } from '../../pool/postgresql-config.ts';
import { engineSuite } from '../engine-suite.ts';
import { postgresql } from './postgresql.ts';

engineSuite('PostgreSQL', {
  engine: postgresql,
  async query({ connection }, ...statements) {
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
});
