import { type RunDatabaseOptions, runVariable, startRun, type TestRun } from './test-run.ts';

export type { Isolation, RunDatabaseOptions } from './test-run.ts';

/** Where `jest-teardown` finds what to stop; `globalThis` is all that the two have in common. */
const runningKey = Symbol.for('jig.embedded-database.jest');

/** The part of a configuration of jest that is used here. */
interface JestConfig {
  readonly globalSetup?: string | null | undefined;
}

/** The addresses of the runs, by the set-up that has started them. */
export function runsOf({ [runVariable]: text = '{}' }: NodeJS.ProcessEnv): Record<string, string> {
  return JSON.parse(text) as Record<string, string>;
}

/** Makes a `globalSetup` for jest: it starts a database server, from which `jest-environment` takes a fresh database for each test file. */
export function databaseSetup(
  options: RunDatabaseOptions = {},
): (globalConfig: JestConfig, projectConfig?: JestConfig) => Promise<void> {
  return async (globalConfig, projectConfig) => {
    const run = await startRun(options);
    const shared = globalThis as { [runningKey]?: Set<TestRun> };
    shared[runningKey] ??= new Set();
    shared[runningKey].add(run);
    // Projects have set-ups of their own, while all of them share the variables of this process.
    const key = projectConfig?.globalSetup ?? globalConfig.globalSetup ?? '';
    process.env[runVariable] = JSON.stringify({ ...runsOf(process.env), [key]: run.address(1) });
  };
}

/** The `globalTeardown` that belongs to it. */
export async function databaseTeardown(): Promise<void> {
  const { [runningKey]: runs } = globalThis as { [runningKey]?: Set<TestRun> };
  delete process.env[runVariable];
  const ended = [...(runs ?? [])];
  runs?.clear();
  await Promise.all(ended.map(({ database }) => database.stop()));
}

export default databaseSetup();
