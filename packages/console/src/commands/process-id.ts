import { UsageError } from '../usage-error.ts';

/** The one process that a command is for. */
export function parsePid([given = '', ...others]: readonly string[]): number {
  const pid = /^\d{1,10}$/.test(given) ? Number(given) : 0;
  if (pid > 0 && others.length === 0) return pid;
  throw new UsageError('Name one process by its id, as jig list shows it.');
}
