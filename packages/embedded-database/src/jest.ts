import { type RunDatabaseOptions, startForRun } from './run-database.ts';

export type { RunDatabaseOptions };

/** Where `jest-teardown` finds what to stop; `globalThis` is all that the two have in common. */
const runningKey = Symbol.for('jig.embedded-database.jest');

/** Makes a `globalSetup` for jest: it starts a database for the test run, with a copy for each worker, and sets `DATABASE_URL`. */
export function databaseSetup(
  options: RunDatabaseOptions = {},
): (globalConfig: { readonly maxWorkers: number }) => Promise<void> {
  return async ({ maxWorkers }) => {
    const run = await startForRun(options, maxWorkers);
    Object.assign(globalThis, { [runningKey]: run });
  };
}

/** The `globalTeardown` that belongs to it. */
export async function databaseTeardown(): Promise<void> {
  const run = (globalThis as { [runningKey]?: { stop(): Promise<void> } })[runningKey];
  await run?.stop();
}

export default databaseSetup();
