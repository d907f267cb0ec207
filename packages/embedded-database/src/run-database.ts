import { type RunningDatabase, startWithServer } from './start-database.ts';
import type { StartDatabaseOptions } from './start-options.ts';

/** The options of a database for a whole test run; it stops with the run. */
export type RunDatabaseOptions = Omit<StartDatabaseOptions, 'signal'>;

/** Read by `worker.cjs`, as the names of the databases are. */
const mainUrlVariable = 'JIG_DATABASE_MAIN_URL';

interface Run {
  readonly started: Promise<RunningDatabase>;
  users: number;
}

/** By their options: the projects of one test run share a server. */
const runs = new Map<string, Run>();

/**
 * Starts a database for a test run, with a copy for each worker, and sets `DATABASE_URL` and the other variables for its processes.
 * What it gives stops the server once everybody has called it.
 */
export async function startForRun(
  options: RunDatabaseOptions,
  workers: number,
): Promise<{ readonly database: RunningDatabase; readonly stop: () => Promise<void> }> {
  const key = JSON.stringify([options, String(options.migrations), workers]);
  const run = runs.get(key) ?? { started: start(options, workers), users: 0 };
  runs.set(key, run);
  run.users++;
  const stop = async () => {
    run.users--;
    if (run.users > 0) return;
    runs.delete(key);
    await (await run.started).stop();
  };
  try {
    const database = await run.started;
    Object.assign(process.env, database.environment, { [mainUrlVariable]: database.url });
    return { database, stop };
  } catch (error) {
    runs.delete(key);
    throw error;
  }
}

async function start(options: RunDatabaseOptions, workers: number): Promise<RunningDatabase> {
  const { database, server } = await startWithServer(options);
  try {
    // Workers clone from it while they are connected to their own databases.
    if (options.migrations === undefined) await server.keepTemplate();
    for (let worker = 1; worker <= workers; worker++) await server.cloneAs(`jig_worker_${worker}`);
    return database;
  } catch (error) {
    await database.stop();
    throw error;
  }
}
