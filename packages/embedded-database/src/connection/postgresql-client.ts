import { Client, type ClientConfig } from 'pg';
import type { ConnectionOptions, PoolOptions } from './connection-options.ts';

export function postgresqlConfig(
  connection: ConnectionOptions,
  { connectTimeout, queryTimeout }: Omit<PoolOptions, 'size'>,
): ClientConfig {
  const { socket, host = 'localhost', port = 5432, user, password, database, options, tls } = connection;
  return {
    host: socket ?? host,
    port,
    user,
    password,
    database,
    ...(options === undefined ? {} : { options }),
    ssl: socket === undefined && tls !== undefined ? tls : false,
    sslnegotiation: 'postgres',
    client_encoding: 'utf8',
    application_name: 'jig',
    keepAlive: true,
    connectionTimeoutMillis: connectTimeout,
    query_timeout: queryTimeout,
    // The server cancels the query a little earlier than we do, so that it does not go on with it.
    statement_timeout: Math.ceil(queryTimeout * 0.9),
  };
}

/** A client that ignores the `PG…` variables, which `pg` reads for everything that its configuration leaves out. */
export class PostgresqlClient extends Client {
  constructor(config: ClientConfig = {}) {
    super(config);
    const { connectionParameters } = this as unknown as { connectionParameters: Record<string, unknown> };
    Object.assign(connectionParameters, { options: config.options, replication: undefined });
  }
}

/** A new connection each time: the main process of PostgreSQL may be frozen while open connections still work. */
export async function probePostgresql(connection: ConnectionOptions, timeout = 2000): Promise<void> {
  const client = new PostgresqlClient(postgresqlConfig(connection, { connectTimeout: timeout, queryTimeout: timeout }));
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    // A frozen server does not answer the closing message, so nobody waits for it.
    void client.end().catch(() => {});
  }
}
