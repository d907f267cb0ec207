import { Pool } from 'pg';
import type { ConnectionOptions } from '../engines/engine.ts';
import type { PoolOptions } from './pool-options.ts';
import { postgresqlConfig } from './postgresql-config.ts';

export function postgresqlPool(connection: ConnectionOptions, options: PoolOptions): Pool {
  const pool = new Pool({ ...postgresqlConfig(connection, options), max: options.size, idleTimeoutMillis: 60_000 });
  // A server that goes away ends idle connections, which would otherwise end this process; the next query connects anew.
  return pool.on('error', () => {});
}
