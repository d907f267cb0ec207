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
