import { parseAddress } from './connection/address.ts';
import { Databases, type MainDatabase } from './databases.ts';
import { optionInvalid } from './errors.ts';

/** A server that runs elsewhere: one that another process has started. */
export interface ConnectedDatabase extends MainDatabase {
  close(): Promise<void>;
}

/**
 * For the processes of a test run: makes databases on the server that the set-up of the run, or `jig-database`, has started.
 * Its address is `DATABASE_URL` unless it is given.
 */
export function connectDatabase(url = process.env.DATABASE_URL): ConnectedDatabase {
  if (!url)
    throw optionInvalid(
      'connectDatabase() needs an address: DATABASE_URL is not set. Run it under the set-up for vitest or jest, under jig-database, or give it the url of a database.',
    );
  const databases = new Databases(parseAddress(url));
  const close = () => databases.close();
  return { ...databases.main(close), close };
}
