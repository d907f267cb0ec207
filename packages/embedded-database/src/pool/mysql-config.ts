import type { ConnectionOptions as MysqlOptions } from 'mysql2';
import type { ConnectionOptions } from '../engines/engine.ts';
import type { PoolOptions } from './pool-options.ts';

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
