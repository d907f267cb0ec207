import type { ConnectionOptions } from './connection-options.ts';

/** Only the needed client library is loaded, since both are large. */
const clients = { postgresql: () => import('./postgresql-client.ts'), mysql: () => import('./mysql-client.ts') };

/** Runs a query over a new connection. */
export async function probe(connection: ConnectionOptions, timeout?: number): Promise<void> {
  await (await clients[connection.dialect]()).probe(connection, timeout);
}
