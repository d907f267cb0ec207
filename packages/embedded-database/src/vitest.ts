import { fileURLToPath } from 'node:url';
import { type RunDatabaseOptions, startForRun } from './run-database.ts';

export type { RunDatabaseOptions };

/** The part of a vitest project that is used here. */
interface TestProject {
  readonly config: { readonly maxWorkers?: number | string; setupFiles: string[] };
  provide(key: string, value: unknown): void;
}

const workerFile = fileURLToPath(new URL('../worker.cjs', import.meta.url));

/**
 * Makes a `globalSetup` for vitest: it starts a database for the test run, gives each worker a copy of its own, and sets `DATABASE_URL`
 * and the other variables in them. `inject('database')` gives the main database, whose migrated template `connectDatabase().clone()` copies.
 */
export function databaseSetup(options: RunDatabaseOptions = {}): (project: unknown) => Promise<() => Promise<void>> {
  return async (project) => {
    const { config } = project as TestProject;
    const { database, stop } = await startForRun(options, Number(config.maxWorkers) || 1);
    const { url, environment, name } = database;
    (project as TestProject).provide('database', { url, environment, name });
    // Only a worker knows its number, so it chooses its database itself, before the tests of each file.
    if (!config.setupFiles.includes(workerFile)) config.setupFiles.unshift(workerFile);
    return stop;
  };
}

export default databaseSetup();
