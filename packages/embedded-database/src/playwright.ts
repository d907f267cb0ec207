import { optionInvalid } from './errors.ts';
import { type LeasedDatabase, leaseDatabase, type RunDatabaseOptions, runVariable, startRun } from './test-run.ts';

export type { Isolation, RunDatabaseOptions } from './test-run.ts';
export type { LeasedDatabase };

/** A test gets its own database. */
export interface DatabaseFixtures {
  readonly database: LeasedDatabase;
}

/** The part of Playwright's test information that is used. */
interface TestInfo {
  readonly parallelIndex: number;
}

/** Returns a `globalSetup` for Playwright that starts a server; the fixture `database` takes fresh databases from it. */
export function databaseSetup(options: RunDatabaseOptions = {}): () => Promise<() => Promise<void>> {
  return async () => {
    const { database, address } = await startRun(options);
    process.env[runVariable] = address(1);
    return () => database.stop();
  };
}

/** For `test.extend` of Playwright. */
export const databaseFixtures = {
  // Playwright reads fixture names from this function's source, so its first parameter must be destructured.
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
