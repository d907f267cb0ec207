import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseError, errorMessage } from '../errors.ts';
import { credentials, type RunAs } from '../supervisor/run-as.ts';

const run = promisify(execFile);

/**
 * What `--version` of a MySQL or MariaDB prints, asked as the user that will run the server, so that missing rights and libraries show
 * here. The option files of the machine are for its own server.
 */
export async function versionOf(program: string, user: RunAs | undefined): Promise<string> {
  try {
    const options = { cwd: '/', timeout: 10_000, env: { PATH: process.env.PATH }, ...credentials(user) };
    return (await run(program, ['--no-defaults', '--version'], options)).stdout.trim();
  } catch (error) {
    const why = (error as { stderr?: string }).stderr?.trim() || errorMessage(error);
    const sentence = `The database server ${program} does not run here: ${why}. Fix it, or choose another database.engine.`;
    throw new DatabaseError('JIG_DATABASE_SERVER_UNAVAILABLE', sentence, { cause: error, fields: { program } });
  }
}

/** Whether the user can run the program: the rights of every folder above it count too. */
export async function canRun(program: string, user: RunAs | undefined): Promise<boolean> {
  if (user === undefined) return isExecutable(program);
  return run('/bin/sh', ['-c', '[ -x "$1" ]', 'sh', program], { cwd: '/', ...credentials(user) }).then(
    () => true,
    () => false,
  );
}

/** The first of these programs that is on the `PATH`, or where system packages put servers. */
export async function findProgram(names: readonly string[]): Promise<string | undefined> {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/usr/libexec'];
  for (const name of names)
    for (const folder of folders.filter((entry) => entry.startsWith('/')))
      if (await isExecutable(join(folder, name))) return join(folder, name);
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
