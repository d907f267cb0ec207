import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { testTemplate } from '../../packages/embedded-database/test-fixtures/temporary-server.ts';

const run = promisify(execFile);

/**
 * Makes a data folder in which the embedded database was initialised before, by a copy of the template that temporary databases
 * begin with: initialised once for all tests, and copied in a tenth of the time.
 */
export async function copyInitialisedHome(home: string): Promise<void> {
  const { passwordFile } = await testTemplate();
  const folder = join(home, 'database');
  await mkdir(folder, { recursive: true });
  await run('cp', ['-a', join(dirname(passwordFile), 'postgresql'), passwordFile, folder]);
}
