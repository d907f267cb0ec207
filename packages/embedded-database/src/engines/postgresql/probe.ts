import { PostgresqlClient, postgresqlConfig } from '../../pool/postgresql-config.ts';
import type { ConnectionOptions } from '../engine.ts';

/** A new connection each time: the main process of PostgreSQL may stand still while those of its open connections still serve. */
export async function probePostgresql(connection: ConnectionOptions, timeout = 2000): Promise<void> {
  const client = new PostgresqlClient(postgresqlConfig(connection, { connectTimeout: timeout, queryTimeout: timeout }));
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    // A frozen server answers no farewell, so nobody waits for it.
    void client.end().catch(() => {});
  }
}
