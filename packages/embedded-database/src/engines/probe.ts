import type { ConnectionOptions } from './engine.ts';

/** Asks a database something over a new connection; loads the client for it only when it is needed, since both are large. */
export async function probe(connection: ConnectionOptions, timeout?: number): Promise<void> {
  if (connection.dialect === 'postgresql') {
    const { probePostgresql } = await import('./postgresql/probe.ts');
    return probePostgresql(connection, timeout);
  }
  const { probeMysql } = await import('./mysql/probe.ts');
  return probeMysql(connection, timeout);
}
