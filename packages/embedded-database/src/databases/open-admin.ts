import type { Client } from 'pg';
import type { ConnectionOptions } from '../connection/connection-options.ts';
import { DatabaseError } from '../errors.ts';
import type { DatabaseAdmin, SqlSession } from './database-admin.ts';

/** Only the needed client library is loaded, since both are large. */
export async function openAdmin(connection: ConnectionOptions, maintenance?: string): Promise<DatabaseAdmin> {
  if (connection.dialect === 'postgresql') {
    const { PostgresqlAdmin } = await import('./postgresql-admin.ts');
    return new PostgresqlAdmin(connection, maintenance);
  }
  const { MysqlAdmin } = await import('./mysql-admin.ts');
  return new MysqlAdmin(connection);
}

export async function openSession(connection: ConnectionOptions): Promise<SqlSession> {
  if (connection.dialect === 'postgresql') {
    const { openPostgresqlSession } = await import('./postgresql-admin.ts');
    return openPostgresqlSession(connection);
  }
  const { openMysqlSession } = await import('./mysql-admin.ts');
  return openMysqlSession(connection);
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
  return (await import('./postgresql-admin.ts')).rollBackAfter(connection, work);
}
