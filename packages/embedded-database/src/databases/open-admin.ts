import type { Client } from 'pg';
import type { ConnectionOptions } from '../connection/connection-options.ts';
import { DatabaseError } from '../errors.ts';
import type { DatabaseAdmin, SqlSession } from './database-admin.ts';

/** Only the needed client library is loaded, since both are large. */
const modules = { postgresql: () => import('./postgresql-admin.ts'), mysql: () => import('./mysql-admin.ts') };

export async function openAdmin(connection: ConnectionOptions, maintenance?: string): Promise<DatabaseAdmin> {
  const { Admin } = await modules[connection.dialect]();
  return new Admin(connection, maintenance);
}

export async function openSession(connection: ConnectionOptions): Promise<SqlSession> {
  return (await modules[connection.dialect]()).openSession(connection);
}

/** Runs the work in a transaction that is rolled back. */
export async function rollBackAfter<Result>(
  connection: ConnectionOptions,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  if (connection.dialect !== 'postgresql')
    throw new DatabaseError(
      'JIG_DATABASE_DIALECT_DIFFERS',
      'transaction() gives a client of PostgreSQL, but the database is a MySQL or MariaDB. Use clone() or reset() instead.',
    );
  return (await modules.postgresql()).rollBackAfter(connection, work);
}
