import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DatabaseError } from '../errors.ts';

const run = promisify(execFile);

/** The user a server runs as when the application runs as root, which database servers refuse. */
export interface RunAs {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const known = new Map<string, RunAs>();

/** Undefined when the server runs as the same user as the application. */
export async function runAs(name: string): Promise<RunAs | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const user = known.get(name) ?? (await lookUp(name));
  known.set(name, user);
  return user;
}

async function lookUp(name: string): Promise<RunAs> {
  try {
    const { stdout } = await run('id', [name]);
    const [uid, gid] = [/^uid=(-?\d+)/, / gid=(-?\d+)/].map((pattern) => pattern.exec(stdout)?.[1]);
    // -2 is how some systems write the uid of nobody.
    if (uid !== undefined && gid !== undefined && uid !== '0')
      return { name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
  } catch (error) {
    const sentence = `The user "${name}" of database.user does not exist here. Name one that does; it needs no rights.`;
    throw new DatabaseError('JIG_DATABASE_USER_UNKNOWN', sentence, { cause: error, fields: { user: name } });
  }
  throw new DatabaseError(
    'JIG_DATABASE_USER_UNKNOWN',
    `The user "${name}" of database.user is root, as which no database server runs. Name another.`,
    { fields: { user: name } },
  );
}

/** For the options of `spawn`. */
export function credentials(user: RunAs | undefined): { uid?: number; gid?: number } {
  return user === undefined ? {} : { uid: user.uid, gid: user.gid };
}
