import { createPool, type Pool } from 'mysql2/promise';
import type { ConnectionOptions } from '../engines/engine.ts';
import { mysqlConfig } from './mysql-config.ts';
import type { PoolOptions } from './pool-options.ts';

export function mysqlPool(connection: ConnectionOptions, options: PoolOptions): Pool {
  return createPool({ ...mysqlConfig(connection, options), connectionLimit: options.size, maxIdle: options.size });
}
