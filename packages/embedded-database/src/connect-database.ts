import { parseAddress } from './connection/connection-options.ts';
import { databaseAddress } from './connection/database-address.ts';
import { type DatabaseCopy, DatabaseServer, type TestedDatabase } from './database-server.ts';
import { DatabaseError } from './errors.ts';

/** A server that runs elsewhere: one that another process has started. */
export interface ConnectedDatabase extends TestedDatabase, AsyncDisposable {
  /** Makes a new, empty database. */
  create(name: string): Promise<DatabaseCopy>;
  /** Makes a copy of the template, which is the database with your migrations, else the main database. */
  clone(template?: string): Promise<DatabaseCopy>;
  close(): Promise<void>;
}

/**
 * For the processes of a test run: makes databases on the server that the set-up of the run, or `jig-database`, has started.
 * Its address is `DATABASE_URL` unless it is given.
 */
export function connectDatabase(url = process.env.DATABASE_URL): ConnectedDatabase {
  if (!url)
    throw new DatabaseError(
      'JIG_DATABASE_OPTION_INVALID',
      'connectDatabase() needs an address: DATABASE_URL is not set. Run it under the set-up for vitest or jest, under jig-database, or give it the url of a database.',
    );
  const connection = parseAddress(url);
  const server = new DatabaseServer(connection);
  const close = () => server.close();
  return {
    name: connection.database,
    ...databaseAddress(connection),
    reset: () => server.reset(),
    transaction: (work) => server.transaction(work),
    create: (name) => server.create(name),
    clone: (template) => server.clone(template),
    close,
    [Symbol.asyncDispose]: close,
  };
}
