import { type RunDatabaseOptions, runVariable, startRun, type TestRun } from './test-run.ts';

export type { Isolation, RunDatabaseOptions } from './test-run.ts';

/** The key in `globalThis` where `jest-teardown` finds what to stop. */
const runningKey = Symbol.for('jig.embedded-database.jest');

/** The part of a configuration of jest that is used here. */
interface JestConfig {
  readonly globalSetup?: string | null | undefined;
}

/** The addresses of the runs by set-up. */
export function runsOf({ [runVariable]: text = '{}' }: NodeJS.ProcessEnv): Record<string, string> {
  return JSON.parse(text) as Record<string, string>;
}

/** Returns a `globalSetup` for jest that starts a server; `jest-environment` takes a fresh database from it for each test file. */
export function databaseSetup(
  options: RunDatabaseOptions = {},
): (globalConfig: JestConfig, projectConfig?: JestConfig) => Promise<void> {
  return async (globalConfig, projectConfig) => {
    const run = await startRun(options);
    const shared = globalThis as { [runningKey]?: Set<TestRun> };
    shared[runningKey] ??= new Set();
    shared[runningKey].add(run);
    // Projects share the variables of this process.
    const key = projectConfig?.globalSetup ?? globalConfig.globalSetup ?? '';
    process.env[runVariable] = JSON.stringify({ ...runsOf(process.env), [key]: run.address(1) });
  };
}

/** The `globalTeardown` for it. */
export async function databaseTeardown(): Promise<void> {
  const { [runningKey]: runs } = globalThis as { [runningKey]?: Set<TestRun> };
  delete process.env[runVariable];
  const ended = [...(runs ?? [])];
  runs?.clear();
  await Promise.all(ended.map(({ database }) => database.stop()));
}

export default databaseSetup();
