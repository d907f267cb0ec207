import type { ConnectionOptions as MysqlOptions } from 'mysql2';
import type { Pool, PoolConnection } from 'mysql2/promise';
import type { ConnectionOptions, PoolOptions } from './connection-options.ts';

export function mysqlConfig(
  connection: ConnectionOptions,
  { connectTimeout }: Pick<PoolOptions, 'connectTimeout'>,
): MysqlOptions {
  const { socket, host = 'localhost', port = 3306, user, password, database, tls } = connection;
  return {
    ...(socket === undefined ? { host, port, ...(tls === undefined ? {} : { ssl: tls }) } : { socketPath: socket }),
    user,
    password,
    database,
    charset: 'utf8mb4_bin',
    connectTimeout,
    enableKeepAlive: true,
  };
}

/**
 * Limits how long a statement of this connection may take on the server, in milliseconds; 0 for any time. Only MariaDB reads the first
 * comment, and only MySQL from 5.7.8 on the second, which has such a limit for SELECT: both manuals, "Comments".
 */
export function statementLimit(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return `SET @jig = 1 /*M! , max_statement_time = ${seconds} */ /*!50708 , max_execution_time = ${Math.ceil(milliseconds)} */`;
}

export async function probe(connection: ConnectionOptions, timeout = 2000): Promise<void> {
  // This module belongs to the session store, which is loaded on PostgreSQL too.
  const { createConnection } = await import('mysql2/promise');
  const client = await createConnection(mysqlConfig(connection, { connectTimeout: timeout }));
  client.on('error', () => {});
  try {
    await client.query({ sql: 'SELECT 1', timeout });
  } finally {
    client.destroy();
  }
}

/** Runs the work on a connection of its own; one that failed or timed out is closed, since its answer may still arrive. */
export async function withMysqlConnection<Result>(
  pool: Pool,
  deadline: number,
  work: (client: PoolConnection) => Promise<Result>,
): Promise<Result> {
  const connecting = pool.getConnection();
  const client = await within(
    deadline,
    connecting,
    () => void connecting.then((late) => late.release()).catch(() => {}),
  );
  try {
    const result = await within(deadline, work(client));
    client.release();
    return result;
  } catch (error) {
    client.destroy();
    throw error;
  }
}

function within<Result>(deadline: number, waited: Promise<Result>, onLate = () => {}): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      onLate();
      reject(new Error(`The database did not answer within ${deadline} ms.`));
    }, deadline);
    waited.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
