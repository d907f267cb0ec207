import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunDatabaseOptions, runVariable, startRun } from './test-run.ts';

export type { Isolation, RunDatabaseOptions } from './test-run.ts';

/** The part of a project of vitest 3, 4 and 5 that is used here. */
interface TestProject {
  readonly config: { env?: Record<string, unknown>; setupFiles: string[]; browser?: { enabled?: boolean } };
  readonly vitest: { readonly projects?: readonly TestProject[] };
  isRootProject?(): boolean;
  onTestsRerun(callback: () => Promise<void>): void;
}

const workerModule = new URL('./vitest-worker.js', import.meta.url).href;

/** vitest loads modules of packages once for each worker, and those elsewhere for each file; so a file elsewhere calls ours. */
async function writeWorkerFile(folder: string): Promise<string> {
  const file = join(folder, 'vitest-worker.js');
  await writeFile(file, `import { leaseForFile } from ${JSON.stringify(workerModule)};\n\nawait leaseForFile();\n`);
  return file;
}

/**
 * Makes a `globalSetup` for vitest: it starts a database server for the project, from which each test file gets a fresh, migrated database.
 * `DATABASE_URL` and the other variables name it in the workers.
 */
export function databaseSetup(
  options: RunDatabaseOptions = {},
): (project: TestProject) => Promise<() => Promise<void>> {
  return async (project) => {
    const { database, address } = await startRun(options);
    const workerFile = await writeWorkerFile(database.folder);
    const served = servedBy(project);
    let round = 0;
    // Each project has variables of its own, while all of them share those of this process.
    const begin = async () => {
      round += 1;
      for (const { config } of served) config.env = { ...config.env, [runVariable]: address(round) };
    };
    await begin();
    project.onTestsRerun(begin);
    // A browser has no variables.
    for (const { config } of served) if (config.browser?.enabled !== true) config.setupFiles.unshift(workerFile);
    return () => database.stop();
  };
}

/** A set-up at the root is for all projects that have none of their own; vitest runs theirs first. */
function servedBy(project: TestProject): readonly TestProject[] {
  if (project.isRootProject?.() !== true) return [project];
  const projects = project.vitest.projects ?? [];
  return [...new Set([project, ...projects])].filter(({ config }) => config.env?.[runVariable] === undefined);
}

export default databaseSetup();
