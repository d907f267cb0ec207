import { isMainThread } from 'node:worker_threads';
import { leaseDatabase, type RunDatabaseOptions, runVariable, startRun } from './test-run.ts';

export type { Isolation, RunDatabaseOptions } from './test-run.ts';

/** Set once a process has its database, so that its child processes use it too. */
const leasedVariable = 'JIG_DATABASE_LEASED';

/**
 * For a module that `node --import` loads. Each test file, which is a process, gets a fresh database in `DATABASE_URL` and the other
 * variables. The server is that of the runner's process if Node loads the module there; otherwise each file starts its own.
 */
export async function databaseSetup(options: RunDatabaseOptions = {}): Promise<void> {
  if (!isMainThread || process.env[leasedVariable] !== undefined) return;
  const address = process.env[runVariable];
  const run = address === undefined ? await startRun(options) : undefined;
  const leaseAddress = address ?? run?.address(1) ?? '';
  process.env[runVariable] = leaseAddress;
  const isRunner = process.execArgv.includes('--test') && !process.execArgv.some((flag) => /isolation=none/.test(flag));
  const isFile = !isRunner || process.env.NODE_TEST_CONTEXT !== undefined;
  const lease = isFile ? await leaseDatabase(leaseAddress, String(process.pid)) : undefined;
  if (lease !== undefined)
    Object.assign(process.env, lease.database.environment, { [leasedVariable]: lease.database.name });
  const finish = async () => {
    await lease?.end();
    await run?.database.stop();
  };
  // The runner of Node sets the exit code at the same event, but later.
  process.once('beforeExit', () => setImmediate(() => void finish()));
}
