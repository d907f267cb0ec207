import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for `TMPDIR`, so that no other test run is seen or disturbed. */
export async function makeTemporaryFolder(name = 'jig-database-test-'): Promise<{
  readonly path: string;
  /** Where the databases of this user are. */
  readonly root: string;
  /** The folders of databases in it. */
  databases(): Promise<readonly string[]>;
  /** The copies that the next starts will take. */
  readyCopies(): Promise<readonly string[]>;
  remove(): Promise<void>;
}> {
  const path = await mkdtemp(join(tmpdir(), name));
  // Another user that runs the server has to get through.
  await chmod(path, 0o777);
  const root = join(path, `jig-databases-${process.getuid?.()}`);
  const templates = join(root, 'templates');
  return {
    path,
    root,
    databases: async () => (await readdir(root)).filter((entry) => entry !== 'templates'),
    readyCopies: async () =>
      (await readdir(templates)).map((template) => join(templates, template, 'ready')).filter(existsSync),
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** The processes that have this text in their command lines or in the path of their third descriptor, by pid. */
export function processesWith(text: string): readonly number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .filter((pid) => commandLine(pid).includes(text))
    .map(Number);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
