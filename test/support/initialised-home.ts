import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Engine } from '../../packages/embedded-database/src/engines/engine.ts';
import { postgresql } from '../../packages/embedded-database/src/engines/postgresql.ts';
import { testTemplate } from '../../packages/embedded-database/test-fixtures/temporary-server.ts';

const run = promisify(execFile);

/**
 * Makes a data folder in which the embedded database was initialised before, by a copy of the template that temporary databases
 * begin with: initialised once for all tests, and copied in a tenth of the time.
 */
export async function copyInitialisedHome(home: string, engine: Engine = postgresql): Promise<void> {
  const { passwordFile } = await testTemplate(engine);
  const folder = join(home, 'database');
  await mkdir(folder, { recursive: true });
  await run('cp', ['-a', join(dirname(passwordFile), engine.folder), passwordFile, folder]);
}
