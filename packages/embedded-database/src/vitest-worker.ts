import { type Lease, leaseDatabase, runVariable } from './test-run/lease-client.ts';

let current: Lease | undefined;

/** Called in the workers of vitest before the tests of each file, also where a worker keeps its modules. */
export async function leaseForFile(): Promise<void> {
  const address = process.env[runVariable];
  if (address === undefined) return;
  void current?.end();
  // Found here, since importing `vitest` could give another version of it than the one that runs.
  const { __vitest_worker__: vitest } = globalThis as { __vitest_worker__?: { filepath?: string } };
  const worker = process.env.VITEST_POOL_ID ?? '';
  current = await leaseDatabase(address, { file: vitest?.filepath ?? '', worker });
  Object.assign(process.env, current.database.environment);
}
