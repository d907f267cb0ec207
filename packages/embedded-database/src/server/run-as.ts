import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DatabaseError } from '../errors.ts';

const run = promisify(execFile);

/** The user a server runs as when the application runs as root, which PostgreSQL refuses. */
export interface RunAs {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const users = new Map<string, RunAs>();

/** Undefined when the server runs as the same user as the application. */
export async function runAs(name: string): Promise<RunAs | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const user = users.get(name) ?? (await lookUp(name));
  users.set(name, user);
  return user;
}

async function lookUp(name: string): Promise<RunAs> {
  const unknown = (why: string, cause?: unknown) =>
    new DatabaseError('JIG_DATABASE_USER_UNKNOWN', `The user "${name}" for the server (database.user, runAs) ${why}.`, {
      cause,
      fields: { user: name },
    });
  const { stdout } = await run('id', [name]).catch((cause: unknown) => {
    throw unknown('does not exist here. Name one that does; it needs no rights', cause);
  });
  const [uid, gid] = [/^uid=(-?\d+)/, / gid=(-?\d+)/].map((pattern) => pattern.exec(stdout)?.[1]);
  if (uid === undefined || gid === undefined || uid === '0')
    throw unknown('is root, as which PostgreSQL does not run. Name another');
  // -2 is how some systems write the uid of nobody.
  return { name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
}

/** The options of `spawn` that run a program as the user. */
export function credentials(user: RunAs | undefined): { uid?: number; gid?: number } {
  return user === undefined ? {} : { uid: user.uid, gid: user.gid };
}
