import { Pool } from 'pg';
import type { ConnectionOptions, PoolOptions } from '../connection/connection-options.ts';
import { PostgresqlClient, postgresqlConfig } from '../connection/postgresql-client.ts';
import { translateErrors, unchanged } from './translate-errors.ts';

export function postgresqlPool(connection: ConnectionOptions, options: PoolOptions, translate = unchanged): Pool {
  const pool = new Pool({
    ...postgresqlConfig(connection, options),
    Client: PostgresqlClient,
    max: options.size,
    idleTimeoutMillis: 60_000,
  });
  // A lost connection emits `error`, which would end this process without a listener.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    translateErrors(client, ['query'], translate);
  });
  return translateErrors(pool, ['connect', 'query'], translate);
}
