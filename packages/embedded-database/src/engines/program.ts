import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseError, errorMessage } from '../errors.ts';
import { closedFolder, credentials, type RunAs } from '../supervisor/run-as.ts';

const run = promisify(execFile);

/**
 * What `--version` of a MySQL or MariaDB prints, asked as the user that will run the server, so that missing rights and libraries show
 * here. The option files of the machine are for its own server.
 */
export async function versionOf(
  program: string,
  user: RunAs | undefined,
  env: Record<string, string> = {},
): Promise<string> {
  try {
    const options = { cwd: '/', timeout: 10_000, env: { PATH: process.env.PATH, ...env }, ...credentials(user) };
    return (await run(program, ['--no-defaults', '--version'], options)).stdout.trim();
  } catch (error) {
    const why = (error as { stderr?: string }).stderr?.trim() || errorMessage(error);
    const sentence = `The database server ${program} does not run here: ${why}. Fix it, or choose another database.engine.`;
    throw new DatabaseError('JIG_DATABASE_SERVER_UNAVAILABLE', sentence, { cause: error, fields: { program } });
  }
}

/**
 * Why the user cannot run the program, in words that end a sentence, with what to do; undefined when it can. The rights of every folder
 * above count too, so the other user simply tries.
 */
export async function whyNotRunnable(program: string, user: RunAs | undefined): Promise<string | undefined> {
  if (user === undefined) return (await isExecutable(program)) ? undefined : `this user cannot run ${program}`;
  if (await canRun(program, user)) return undefined;
  const who = `under root, the server runs as the user ${user.name}, who cannot`;
  const closed = await closedFolder(dirname(program), user);
  if (closed === undefined) return `${who} run ${program}`;
  return `${who} enter ${closed}; let others enter it (chmod o+x ${closed}), or move the application to a folder that they can enter`;
}

async function canRun(program: string, user: RunAs): Promise<boolean> {
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
