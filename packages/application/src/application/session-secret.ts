import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, link, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { writeSecretFile } from '@jig/http';
import type { SessionSettings } from '../configuration/host-settings.ts';
import { errorMessage, hostError } from '../errors.ts';

const fileName = 'session-secret';
const secretPattern = /^[\w-]{43,}$/;

/** The secrets of the session cookie: the first signs, all are accepted. Without a configured secret, one is generated once and stored in the data folder. */
export async function sessionSecrets(
  home: string,
  settings: Pick<SessionSettings, 'secret' | 'previousSecrets'>,
): Promise<readonly [string, ...string[]]> {
  return [settings.secret ?? (await storedSecret(home)), ...settings.previousSecrets];
}

async function storedSecret(home: string): Promise<string> {
  const file = path.join(home, fileName);
  try {
    if (!existsSync(file)) await makeSecret(file);
    const secret = (await readFile(file, 'utf8')).trim();
    // A copy or a backup may have made it readable for others.
    if (process.platform !== 'win32' && ((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o600);
    if (secretPattern.test(secret)) return secret;
  } catch (error) {
    const sentence = `The session secret ${file} cannot be read or made: ${errorMessage(error)}; fix or remove it, or configure sessions.secret.`;
    throw unusable(sentence, file, error);
  }
  throw unusable(`The file ${file} holds no session secret; remove it, and a new one is made.`, file);
}

/** If another process creates the file first, its secret is used. */
async function makeSecret(file: string): Promise<void> {
  try {
    await writeSecretFile(file, `${randomBytes(32).toString('base64url')}\n`, link);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function unusable(sentence: string, file: string, cause?: unknown) {
  return hostError('JIG_SESSION_SECRET_UNUSABLE', sentence, { cause, fields: { file } });
}
