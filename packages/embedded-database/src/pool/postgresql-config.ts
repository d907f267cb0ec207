import type { ClientConfig } from 'pg';
import type { ConnectionOptions } from '../engines/engine.ts';
import type { PoolOptions } from './pool-options.ts';

/** Everything is given, so that no `PG…` variable of the environment has a say. */
export function postgresqlConfig(
  connection: ConnectionOptions,
  { connectTimeout, queryTimeout }: Omit<PoolOptions, 'size'>,
): ClientConfig {
  const { socket, host = 'localhost', port = 5432, user, password, database, tls } = connection;
  return {
    host: socket ?? host,
    port,
    user,
    password,
    database,
    ssl: socket === undefined && tls !== undefined ? tls : false,
    application_name: 'jig',
    keepAlive: true,
    connectionTimeoutMillis: connectTimeout,
    query_timeout: queryTimeout,
    // The server gives up a little earlier than we do, so that it does not go on with what nobody waits for.
    statement_timeout: Math.max(1, Math.floor(queryTimeout * 0.9)),
  };
}
