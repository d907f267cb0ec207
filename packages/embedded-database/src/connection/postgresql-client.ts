import { Client, type ClientConfig } from 'pg';
import type { ConnectionOptions } from './address.ts';

/** In milliseconds; 0 is any time. */
export interface ClientTimeouts {
  readonly connectTimeout: number;
  readonly queryTimeout: number;
}

/** A client that ignores the variables that its configuration cannot overrule: PGOPTIONS and PGREPLICATION. */
export class PostgresqlClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    const { connectionParameters } = this as unknown as { connectionParameters: Record<string, unknown> };
    Object.assign(connectionParameters, { options: undefined, replication: undefined });
  }
}

/** Everything that `pg` would otherwise take from the `PG…` variables. */
export function postgresqlConfig(
  { host, port = 5432, user, password, database, tls, application = 'jig' }: ConnectionOptions,
  { connectTimeout, queryTimeout }: ClientTimeouts,
): ClientConfig {
  return {
    host,
    port,
    user,
    password,
    database,
    ssl: tls !== undefined && !host.startsWith('/') ? tls : false,
    sslnegotiation: 'postgres',
    client_encoding: 'utf8',
    application_name: application,
    keepAlive: true,
    connectionTimeoutMillis: connectTimeout,
    query_timeout: queryTimeout,
    // The server cancels the query a little earlier than we do, so that it does not go on with it.
    statement_timeout: Math.ceil(queryTimeout * 0.9),
  };
}

/** Connects a new client. If the connection is lost later, only its queries fail. */
export async function connect(connection: ConnectionOptions, timeouts: ClientTimeouts): Promise<Client> {
  const client = new PostgresqlClient(postgresqlConfig(connection, timeouts));
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** In milliseconds; longer than the host waits for a health check. */
const probeTimeout = 5000;

/** A new connection each time: the main process of PostgreSQL may be frozen while open connections still work. */
export async function probe(connection: ConnectionOptions, timeout = probeTimeout): Promise<void> {
  const client = await connect(connection, { connectTimeout: timeout, queryTimeout: timeout });
  try {
    await client.query('SELECT 1');
  } finally {
    // Not awaited, since a frozen server does not answer the closing message.
    void client.end().catch(() => {});
  }
}

export const answers = (connection: ConnectionOptions): Promise<boolean> =>
  probe(connection).then(
    () => true,
    () => false,
  );
