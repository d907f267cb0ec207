import { parseAddress } from './connection/address.ts';
import { Databases, type MainDatabase } from './databases.ts';
import { optionInvalid } from './errors.ts';

/** A database on a server that another process has started. */
export interface ConnectedDatabase extends MainDatabase {
  close(): Promise<void>;
}

/**
 * Makes databases on the server of a test run, which the set-up or `jig-database` has started. Its address is `DATABASE_URL` by default.
 */
export function connectDatabase(url = process.env.DATABASE_URL): ConnectedDatabase {
  if (!url)
    throw optionInvalid(
      'connectDatabase() needs an address: DATABASE_URL is not set. Run it under the set-up for vitest or jest, under jig-database, or give it the url of a database.',
    );
  const databases = new Databases(parseAddress(url, process.env));
  const close = () => databases.close();
  return { ...databases.main(close), close };
}
