import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, link, open, readFile, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { hostError, reasonOf } from '../errors.ts';
import { makeFolder } from '../make-folder.ts';
import type { SessionSettings } from './session-settings.ts';

const fileName = 'session-secret';
const secretForm = /^[\w-]{43,}$/;

/** The secrets of the session cookie: the first signs, all are accepted. A secret that is not configured is made once and kept in the data folder. */
export async function sessionSecrets(
  home: string,
  settings: Pick<SessionSettings, 'secret' | 'previousSecrets'>,
): Promise<readonly [string, ...string[]]> {
  return [settings.secret ?? (await keptSecret(home)), ...settings.previousSecrets];
}

async function keptSecret(home: string): Promise<string> {
  const file = path.join(home, fileName);
  try {
    return (await readSecret(file)) ?? (await makeSecret(file));
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('JIG_')) throw error;
    const why = reasonOf(error).replace(/,.*/s, '');
    const sentence = `The session secret ${file} cannot be read or made: ${why}; mend or remove it, or configure sessions.secret.`;
    throw unusable(sentence, file, error);
  }
}

async function readSecret(file: string): Promise<string | undefined> {
  let secret: string;
  try {
    secret = (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (!secretForm.test(secret)) {
    throw unusable(`The file ${file} holds no session secret; remove it, and a new one is made.`, file);
  }
  await keepPrivate(file);
  return secret;
}

/** Whole or not at all: written aside, then linked into place, which fails when another process was first; then theirs is ours too. */
async function makeSecret(file: string): Promise<string> {
  await makeFolder(path.dirname(file));
  const draft = `${file}.${randomUUID()}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${randomBytes(32).toString('base64url')}\n`);
    await handle.sync();
    await handle.close();
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await handle.close();
    await unlink(draft);
  }
  const secret = await readSecret(file);
  if (secret === undefined) throw unusable(`The file ${file} went away while it was made.`, file);
  return secret;
}

/** A copy or a backup may have opened it to others. */
async function keepPrivate(file: string): Promise<void> {
  if (process.platform !== 'win32' && ((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o600);
}

function unusable(sentence: string, file: string, cause?: unknown) {
  return hostError('JIG_SESSION_SECRET_UNUSABLE', sentence, { cause, fields: { file } });
}
