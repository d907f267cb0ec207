import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeApplication } from './make-application.ts';
import { startService } from './start-service.ts';

const run = promisify(execFile);
let prototype: Promise<string> | undefined;

/** Starts an application once, so that the database in its data folder is initialised, and stops it. */
async function makePrototype(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'jig-prototype-'));
  // The user that runs the database passes through it.
  await chmod(folder, 0o755);
  const application = await makeApplication({ dependencies: ['@jig/embedded-database'] });
  const service = await startService({ main: application.main, workingDirectory: application.folder, home: folder });
  await service.stop();
  await application.remove();
  // What the database logged then is not for those who read the log of a copy.
  await rm(join(folder, 'database', 'log'), { recursive: true });
  return folder;
}

/**
 * Makes a data folder in which the embedded PostgreSQL was initialised before: initialised once for the tests of a
 * file, then copied, which takes a tenth of the time. A file that uses it removes it with `removePrototype`.
 */
export async function copyInitialisedHome(home: string): Promise<void> {
  prototype ??= makePrototype();
  const folder = await prototype;
  await mkdir(home, { recursive: true });
  await run('cp', ['-a', `${folder}/.`, home]);
}

/** For the end of a test file. */
export async function removePrototype(): Promise<void> {
  const folder = await prototype;
  prototype = undefined;
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}
