import type { ConnectionOptions } from '../connection/connection-options.ts';
import type { DatabaseAdmin, SqlSession } from './database-admin.ts';

/** Only the needed client library is loaded, since both are large. */
export async function openAdmin(connection: ConnectionOptions): Promise<DatabaseAdmin> {
  if (connection.dialect === 'postgresql') {
    const { PostgresqlAdmin } = await import('./postgresql-admin.ts');
    return new PostgresqlAdmin(connection);
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
