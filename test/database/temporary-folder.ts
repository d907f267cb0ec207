import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { postgresql } from '../../packages/embedded-database/src/engines/postgresql.ts';
import { testTemplate } from '../../packages/embedded-database/test-fixtures/temporary-server.ts';

const rootIn = (folder: string) => join(folder, `jig-databases-${process.getuid?.()}`);

/** Puts the template of PostgreSQL of one temporary folder into another, for tests in which making it is not the subject. */
export async function copyTemplate(from: string, to: string): Promise<void> {
  const templates = join(rootIn(from), 'templates');
  const [name = ''] = (await readdir(templates)).filter((entry) => entry.startsWith('postgresql-'));
  const template = join(rootIn(to), 'templates', name);
  await mkdir(template, { recursive: true, mode: 0o711 });
  // Another test may take the copy for the next start at this moment.
  const entries = (await readdir(join(templates, name))).filter((entry) => entry !== 'ready');
  await promisify(execFile)('cp', ['-a', ...entries.map((entry) => join(templates, name, entry)), template]);
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
  /** The copies that the next starts will take. */
  readyCopies(): Promise<readonly string[]>;
  remove(): Promise<void>;
}> {
  const path = await mkdtemp(join(parent, name));
  // Another user that runs the server has to get through.
  await chmod(path, 0o777);
  const root = rootIn(path);
  await testTemplate(postgresql);
  await copyTemplate(tmpdir(), path);
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
