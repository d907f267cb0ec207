import { randomBytes } from 'node:crypto';
import { type DatabaseAddress, databaseAddress, parseAddress } from './connection/address.ts';
import { Databases, emptyTemplate, templateName } from './databases.ts';
import { DatabaseError, errorMessage, optionInvalid } from './errors.ts';
import { type RunningDatabase, startWithDatabases } from './start-database.ts';
import type { StartDatabaseOptions } from './start-options.ts';

/** Who shares a database: the tests of a file, those that a worker runs, or all tests of a run. */
export type Isolation = 'file' | 'worker' | 'run';

const isolations: readonly Isolation[] = ['file', 'worker', 'run'];

/** The options of a database for a test run. */
export interface RunDatabaseOptions extends Omit<StartDatabaseOptions, 'signal'> {
  /** Who gets a fresh database, with your migrations. Default: `file`, each test file. */
  readonly isolation?: Isolation | undefined;
}

/** The variable with the address of the server, for workers. */
export const runVariable = 'JIG_DATABASE_RUN';

/** Enough for the pools of 32 workers. */
const maxConnections = 500;

export interface TestRun {
  readonly database: RunningDatabase;
  /** For `leaseDatabase` in workers; a new number in watch mode gives new databases. */
  readonly address: (round: number) => string;
}

/** The content of an address. */
interface RunAddress {
  readonly url: string;
  readonly isolation: Isolation;
  /** The prefix of database names, different in each run and round. */
  readonly id: string;
}

/** Starts the database server of a test run, in the process of the runner. */
export async function startRun({ isolation = 'file', ...options }: RunDatabaseOptions): Promise<TestRun> {
  if (!isolations.includes(isolation))
    throw optionInvalid(`The option isolation must be ${isolations.join(', ')}, not ${JSON.stringify(isolation)}.`);
  const { database, databases } = await startWithDatabases(forManyWorkers(options));
  // Workers clone from it while they are connected to their own databases.
  if (options.migrations === undefined && options.seed === undefined) await databases.keepTemplate();
  const run = randomBytes(4).toString('hex');
  return { database, address: (round) => runAddress(database, isolation, `${run}_${round}`) };
}

export const forManyWorkers = <Options extends StartDatabaseOptions>(options: Options): Options => ({
  ...options,
  settings: { max_connections: maxConnections, ...options.settings },
});

export function runAddress({ url }: RunningDatabase, isolation: Isolation, id: string): string {
  const address: RunAddress = { url, isolation, id: `jig_${id}` };
  return JSON.stringify(address);
}

export interface LeasedDatabase extends DatabaseAddress {
  readonly name: string;
}

export interface Lease {
  readonly database: LeasedDatabase;
  /** Releases the database; otherwise the end of the process does. */
  end(): Promise<void>;
}

/** The prefix of databases for one file; later leases drop those that nobody uses. */
const leasePrefix = 'jig_lease_';

/** In a worker: leases a database for the next tests. A connection with its name marks it as used, and does not keep Node running. */
export async function leaseDatabase(address: string, worker: string): Promise<Lease> {
  const { url, isolation, id } = JSON.parse(address) as RunAddress;
  const connection = parseAddress(url);
  const names = { file: `${leasePrefix}${randomBytes(6).toString('hex')}`, worker: `${id}_${worker}`, run: id };
  const name = names[isolation];
  const databases = new Databases({ ...connection, application: name });
  try {
    await databases.dropAbandoned(leasePrefix);
    const template = (await databases.exists(templateName)) ? templateName : emptyTemplate;
    if (!(await databases.exists(name))) await databases.createFrom(name, template).catch(ignoreExisting);
  } catch (error) {
    const code = error instanceof DatabaseError ? error.code : 'JIG_DATABASE_UNREACHABLE';
    throw new DatabaseError(code, `No database could be made for this test file: ${errorMessage(error)}`, {
      cause: error,
    });
  }
  return {
    database: { name, ...databaseAddress({ ...connection, database: name }) },
    // Dropping the database would cut off a pool that is still open, and fail tests: the next lease does, once nobody is connected.
    end: () => databases.close(),
  };
}

/** Another worker has created the shared database first. */
function ignoreExisting(error: unknown): void {
  if (!(error instanceof DatabaseError) || error.code !== 'JIG_DATABASE_EXISTS') throw error;
}
