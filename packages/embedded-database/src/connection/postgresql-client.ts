import { Client, type ClientConfig } from 'pg';
import type { ConnectionOptions, PoolOptions, SessionTarget } from './connection-options.ts';

interface Host {
  readonly host: string;
  readonly port: number;
}

/** Which servers a connection may be to, and which of them was the right one last time. */
interface Candidates {
  readonly hosts: readonly Host[];
  readonly target: SessionTarget;
  preferred: number;
}

/** What our client knows beyond that of `pg`. */
export interface PostgresqlClientConfig extends ClientConfig {
  readonly candidates?: Candidates;
  readonly isPooled?: boolean;
}

const usualPort = 5432;

export function postgresqlConfig(
  connection: ConnectionOptions,
  { connectTimeout, queryTimeout }: Omit<PoolOptions, 'size'>,
): PostgresqlClientConfig {
  const { socket, host = 'localhost', port = usualPort, user, password, database, options, tls } = connection;
  const { otherHosts = [], target = 'any', isPooled = false } = connection;
  const hosts = [{ host, port }, ...otherHosts.map((other) => ({ port: usualPort, ...other }))];
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
    // The server cancels the query a little earlier than we do, so that it does not go on with it. PgBouncer refuses such a parameter.
    ...(isPooled ? { isPooled } : { statement_timeout: Math.ceil(queryTimeout * 0.9) }),
    ...(hosts.length > 1 || target !== 'any' ? { candidates: { hosts, target, preferred: 0 } } : {}),
  };
}

/** What the server must answer to be the one that is meant. */
const questions: Readonly<Record<SessionTarget, string>> = {
  any: 'SELECT true AS fits',
  'read-write': "SELECT current_setting('transaction_read_only') = 'off' AND NOT pg_is_in_recovery() AS fits",
  primary: 'SELECT NOT pg_is_in_recovery() AS fits',
};

/**
 * A client that ignores the `PG…` variables, which `pg` reads for everything that its configuration leaves out. With several hosts it looks
 * which one is meant before it connects, as libpq does.
 */
export class PostgresqlClient extends Client {
  readonly #config: PostgresqlClientConfig;

  constructor(config: PostgresqlClientConfig = {}) {
    super(config);
    this.#config = config;
    const { connectionParameters } = this as unknown as { connectionParameters: Record<string, unknown> };
    Object.assign(connectionParameters, { options: config.options, replication: undefined });
    if (config.isPooled) forgetNames(this);
  }

  // The pool of `pg` calls it with a function, people with none.
  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<this> | undefined {
    const { candidates } = this.#config;
    if (candidates === undefined && callback === undefined) return this.#connect();
    if (candidates === undefined) {
      super.connect(callback as (error: Error) => void);
      return undefined;
    }
    const chosen = fittingHost(candidates, this.#config).then((host) => Object.assign(this, host));
    if (callback === undefined) return chosen.then(() => this.#connect());
    chosen.then(
      () => process.nextTick(() => super.connect(callback)),
      (error: unknown) => process.nextTick(callback, error),
    );
    return undefined;
  }

  async #connect(): Promise<this> {
    await super.connect();
    return this;
  }
}

/** The first host that is meant, beginning with the one that was it last time. */
async function fittingHost(candidates: Candidates, config: PostgresqlClientConfig): Promise<Host> {
  const { hosts, target, preferred } = candidates;
  let failure: unknown;
  for (const offset of hosts.keys()) {
    const index = (preferred + offset) % hosts.length;
    const host = hosts[index];
    if (host === undefined) continue;
    try {
      if (await fits(host, questions[target], config)) {
        candidates.preferred = index;
        return host;
      }
      failure ??= new Error(`no server is ${target}`);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function fits(host: Host, question: string, config: PostgresqlClientConfig): Promise<boolean> {
  const { candidates: _candidates, ...own } = config;
  // All servers together may take as long as one of them.
  const timeout = Math.ceil((config.connectionTimeoutMillis ?? 0) / (config.candidates?.hosts.length ?? 1));
  const client = new PostgresqlClient({ ...own, ...host, connectionTimeoutMillis: timeout, query_timeout: timeout });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ fits: boolean }>(question);
    return rows[0]?.fits === true;
  } finally {
    void client.end().catch(() => {});
  }
}

/** Each transaction may be on another connection of the server, which does not know what was prepared before. */
function forgetNames(client: Client): void {
  const query = client.query.bind(client) as (...values: unknown[]) => unknown;
  const unnamed = (asked: unknown) =>
    typeof asked === 'object' && asked !== null && 'name' in asked && !('submit' in asked)
      ? { ...asked, name: undefined }
      : asked;
  Object.assign(client, { query: (asked: unknown, ...values: unknown[]) => query(unnamed(asked), ...values) });
}

/** A new connection each time: the main process of PostgreSQL may be frozen while open connections still work. */
export async function probe(connection: ConnectionOptions, timeout = 2000): Promise<void> {
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
