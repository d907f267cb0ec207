import { createConnection } from 'mysql2/promise';
import { mysqlConfig } from '../../pool/mysql-config.ts';
import type { ConnectionOptions } from '../engine.ts';

export async function probeMysql(connection: ConnectionOptions, timeout = 2000): Promise<void> {
  const client = await createConnection(mysqlConfig(connection, { connectTimeout: timeout }));
  client.on('error', () => {});
  try {
    await client.query({ sql: 'SELECT 1', timeout });
  } finally {
    client.destroy();
  }
}
