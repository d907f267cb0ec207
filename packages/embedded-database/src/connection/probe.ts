import type { ConnectionOptions } from './connection-options.ts';

/** Runs a query over a new connection. Only the needed client library is loaded, since both are large. */
export async function probe(connection: ConnectionOptions, timeout?: number): Promise<void> {
  if (connection.dialect === 'postgresql') {
    const { probePostgresql } = await import('../connection/postgresql-client.ts');
    return probePostgresql(connection, timeout);
  }
  const { probeMysql } = await import('../connection/mysql-client.ts');
  return probeMysql(connection, timeout);
}
