import { type Lease, leaseDatabase, runVariable } from './test-run.ts';

let current: Lease | undefined;

/** Called in workers of vitest before the tests of each file, even if the worker keeps its modules. */
export async function leaseForFile(): Promise<void> {
  const address = process.env[runVariable];
  if (address === undefined) return;
  void current?.end();
  current = await leaseDatabase(address, process.env.VITEST_POOL_ID ?? '');
  Object.assign(process.env, current.database.environment);
}
