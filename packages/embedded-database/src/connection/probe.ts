import type { ConnectionOptions } from './connection-options.ts';

/** Asks a database something over a new connection; loads the client for it only when it is needed, since both are large. */
export async function probe(connection: ConnectionOptions, timeout?: number): Promise<void> {
  if (connection.dialect === 'postgresql') {
    const { probePostgresql } = await import('../connection/postgresql-client.ts');
    return probePostgresql(connection, timeout);
  }
  const { probeMysql } = await import('../connection/mysql-client.ts');
  return probeMysql(connection, timeout);
}
