import { leaseDatabase } from './test-run/lease-client.ts';
import { runVariable } from './test-run/run-variable.ts';

// Runs in the workers of vitest before the tests of each file. What vitest knows of the file is found here, since importing `vitest`
// could give another version of it than the one that runs.
const { __vitest_worker__: vitest } = globalThis as { __vitest_worker__?: { filepath?: string } };
const address = process.env[runVariable];
if (address !== undefined) {
  const worker = process.env.VITEST_POOL_ID ?? '';
  const { database } = await leaseDatabase(address, { file: vitest?.filepath ?? '', worker });
  Object.assign(process.env, database.environment);
}
