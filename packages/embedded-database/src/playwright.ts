import { optionInvalid } from './errors.ts';
import { type LeasedDatabase, leaseDatabase, type RunDatabaseOptions, runVariable, startRun } from './test-run.ts';

export type { Isolation, RunDatabaseOptions } from './test-run.ts';
export type { LeasedDatabase };

/** What a test gets: a database of its own. */
export interface DatabaseFixtures {
  readonly database: LeasedDatabase;
}

/** The part of the information about a test that is used here. */
interface TestInfo {
  readonly parallelIndex: number;
}

/** Makes a `globalSetup` for Playwright: it starts a database server for the run, from which the fixture `database` takes fresh databases. */
export function databaseSetup(options: RunDatabaseOptions = {}): () => Promise<() => Promise<void>> {
  return async () => {
    const { database, address } = await startRun(options);
    process.env[runVariable] = address(1);
    return () => database.stop();
  };
}

/** For `test.extend` of Playwright. */
export const databaseFixtures = {
  // Playwright reads the names of fixtures from the text of this function, so the first parameter has to be taken apart.
  database: async (
    { browserName }: { browserName: string },
    use: (database: LeasedDatabase) => Promise<void>,
    testInfo: TestInfo,
  ): Promise<void> => {
    const address = process.env[runVariable];
    if (address === undefined)
      throw optionInvalid(
        'The fixture database needs @jig/embedded-database/playwright, or a module with its databaseSetup(), as globalSetup.',
      );
    const lease = await leaseDatabase(address, `${browserName}_${testInfo.parallelIndex}`);
    await use(lease.database);
    await lease.end();
  },
};

export default databaseSetup();
