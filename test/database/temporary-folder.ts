import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { testTemplate } from '../../packages/embedded-database/test-fixtures/temporary-server.ts';

const rootIn = (folder: string) => join(folder, `jig-databases-${process.getuid?.()}`);

/** Puts a template into another temporary folder, for tests in which making it is not the subject. */
export async function copyTemplate(from: string, to: string): Promise<void> {
  const template = join(rootIn(to), 'templates', basename(from));
  await mkdir(template, { recursive: true, mode: 0o711 });
  await promisify(execFile)('cp', ['-a', `${from}/.`, template]);
}

/** A folder for `TMPDIR`, so that no other test run is seen or disturbed; with a template, so that no start has to make it. */
export async function makeTemporaryFolder(
  name = 'jig-database-test-',
  parent = tmpdir(),
): Promise<{
  readonly path: string;
  /** Where the databases of this user are. */
  readonly root: string;
  /** The folders of databases in it. */
  databases(): Promise<readonly string[]>;
  remove(): Promise<void>;
}> {
  const path = await mkdtemp(join(parent, name));
  // Another user that runs the server has to get through.
  await chmod(path, 0o777);
  const root = rootIn(path);
  const { passwordFile } = await testTemplate();
  await copyTemplate(dirname(passwordFile), path);
  return {
    path,
    root,
    databases: async () => (await readdir(root)).filter((entry) => entry !== 'templates'),
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** The processes that have this text in their command lines, and none of the others, by pid; only on Linux. */
export function processesWith(text: string, others: readonly string[] = []): readonly number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .filter((pid) => {
      const line = commandLine(pid);
      return line.includes(text) && !others.some((other) => line.includes(other));
    })
    .map(Number);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
