import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { describe, expect, it } from 'vitest';
import { engineSuite } from '../../test-fixtures/engine-suite.ts';
import { mysqlConfig } from '../connection/mysql-client.ts';
import { flavourOf, initialisation, mariadb } from './mysql.ts';
import { versionOf } from './program.ts';

engineSuite('MariaDB', {
  engine: mariadb,
  async query(connection, ...statements) {
    const client = await createConnection({ ...mysqlConfig(connection, { connectTimeout: 5000 }), rowsAsArray: true });
    try {
      let rows: unknown[][] = [];
      for (const text of statements) rows = (await client.query(text))[0] as unknown[][];
      return rows;
    } finally {
      client.destroy();
    }
  },
  age: (dataFolder) => writeFile(join(dataFolder, 'jig-engine.json'), '{"product":"MariaDB","version":"5.5.1"}'),
  damage: (dataFolder) => writeFile(join(dataFolder, 'ibdata1'), Buffer.alloc(65_536, 7)),
  smallDisks: [5, 60, 122],
  setting: { name: 'max-connections', value: '33', query: 'SELECT @@max_connections', shown: 33 },
});

describe('telling MySQL from MariaDB', () => {
  it('goes by what the program prints, not by its name', () => {
    const debian = 'mysqld  Ver 10.11.19-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64 (Debian 12)';
    expect(flavourOf(debian)).toEqual({ product: 'MariaDB', version: '10.11.19' });
    const oracle = '/usr/sbin/mysqld  Ver 8.4.6 for Linux on x86_64 (MySQL Community Server - GPL)';
    expect(flavourOf(oracle)).toEqual({ product: 'MySQL', version: '8.4.6' });
  });

  it('does not read the option files of the machine, which may be broken', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jig-version-'));
    const program = join(folder, 'mariadbd');
    await writeFile(program, '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
    expect(await versionOf(program, undefined)).toBe('--no-defaults --version');
    await rm(folder, { recursive: true });
  });

  it('initialises MySQL by itself and MariaDB by its installer, with the password in no argument', () => {
    const programs = { server: '/s', installer: '/i' };
    const statements = { text: 'secret', file: '/f.sql' };
    const commands = (product: 'MySQL' | 'MariaDB') =>
      initialisation({ product, version: '1' }, programs, '/d', statements);
    expect(commands('MySQL')).toEqual([
      { file: '/s', args: ['--no-defaults', '--datadir=/d', '--initialize-insecure', '--init-file=/f.sql'] },
    ]);
    expect(commands('MariaDB').map(({ file }) => file)).toEqual(['/i', '/s']);
    for (const { args } of commands('MariaDB')) expect(args).toContain('--tmpdir=/d');
    expect(
      commands('MariaDB')
        .flatMap(({ args }) => args)
        .join(),
    ).not.toContain('secret');
  });
});
