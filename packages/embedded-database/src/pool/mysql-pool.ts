import { createPool, type Pool } from 'mysql2/promise';
import type { ConnectionOptions } from '../engines/engine.ts';
import { mysqlConfig } from './mysql-config.ts';
import type { PoolOptions } from './pool-options.ts';
import { asItIs, translateErrors } from './translate-errors.ts';

export function mysqlPool(connection: ConnectionOptions, options: PoolOptions, translate = asItIs): Pool {
  const pool = createPool({
    ...mysqlConfig(connection, options),
    connectionLimit: options.size,
    maxIdle: options.size,
  });
  const connect = pool.getConnection.bind(pool);
  pool.getConnection = async () =>
    translateErrors(await connect(), ['query', 'execute', 'beginTransaction', 'commit', 'rollback'], translate);
  return translateErrors(pool, ['getConnection', 'query', 'execute'], translate);
}
