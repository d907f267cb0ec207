import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunDatabaseOptions, runVariable, startRun } from './test-run.ts';

export type { Isolation, RunDatabaseOptions } from './test-run.ts';

/** The part of a vitest 3, 4 and 5 project that is used. */
interface TestProject {
  readonly config: { env?: Record<string, unknown>; setupFiles: string[]; browser?: { enabled?: boolean } };
  readonly vitest: { readonly projects?: readonly TestProject[] };
  isRootProject?(): boolean;
  onTestsRerun(callback: () => Promise<void>): void;
}

const workerModule = new URL('./vitest-worker.js', import.meta.url).href;

/** vitest loads modules in packages once per worker, others once per test file; hence a generated file that calls ours. */
async function writeWorkerFile(folder: string): Promise<string> {
  const file = join(folder, 'vitest-worker.js');
  await writeFile(file, `import { leaseForFile } from ${JSON.stringify(workerModule)};\n\nawait leaseForFile();\n`);
  return file;
}

/**
 * Returns a `globalSetup` for vitest that starts a server. Each test file gets a fresh, migrated database in `DATABASE_URL` and the other
 * variables.
 */
export function databaseSetup(
  options: RunDatabaseOptions = {},
): (project: TestProject) => Promise<() => Promise<void>> {
  return async (project) => {
    const { database, address } = await startRun(options);
    const workerFile = await writeWorkerFile(database.folder);
    const served = projectsServedBy(project);
    let round = 0;
    // Each project has its own variables.
    const startRound = async () => {
      round += 1;
      for (const { config } of served) config.env = { ...config.env, [runVariable]: address(round) };
    };
    await startRound();
    project.onTestsRerun(startRound);
    // Browsers have no environment variables.
    for (const { config } of served) if (config.browser?.enabled !== true) config.setupFiles.unshift(workerFile);
    return () => database.stop();
  };
}

/** A set-up at the root applies to all projects without their own, which vitest runs first. */
function projectsServedBy(project: TestProject): readonly TestProject[] {
  if (project.isRootProject?.() !== true) return [project];
  const projects = project.vitest.projects ?? [];
  return [...new Set([project, ...projects])].filter(({ config }) => config.env?.[runVariable] === undefined);
}

export default databaseSetup();
