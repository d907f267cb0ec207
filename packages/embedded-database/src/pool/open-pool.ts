import type { Pool as MysqlPool } from 'mysql2/promise';
import type { Pool as PostgresqlPool } from 'pg';
import type { ConnectionOptions, Dialect } from '../engines/engine.ts';
import type { PoolOptions } from './pool-options.ts';
import type { Translation } from './translate-errors.ts';

export type NativePool =
  | { readonly dialect: 'postgresql'; readonly pool: PostgresqlPool }
  | { readonly dialect: 'mysql'; readonly pool: MysqlPool };

/** Both are large, so that only the one needed is loaded. */
const loaders = {
  postgresql: () => import('./postgresql-pool.ts'),
  mysql: () => import('./mysql-pool.ts'),
};

/** Loads what opening will need, while the server is still starting. */
export async function preparePool(dialect: Dialect): Promise<void> {
  await loaders[dialect]();
}

/** Errors of the pool and of its connections are told as the translation says. */
export async function openPool(
  connection: ConnectionOptions,
  options: PoolOptions,
  translate: Translation,
): Promise<NativePool> {
  if (connection.dialect === 'postgresql') {
    const { postgresqlPool } = await loaders.postgresql();
    return { dialect: 'postgresql', pool: postgresqlPool(connection, options, translate) };
  }
  const { mysqlPool } = await loaders.mysql();
  return { dialect: 'mysql', pool: mysqlPool(connection, options, translate) };
}
