import { DatabaseError } from '../errors.ts';
import type { StartDatabaseOptions } from '../start-options.ts';

/** Who shares a database: the tests of a file, those that a worker runs, or all tests of a run. */
export type Isolation = 'file' | 'worker' | 'run';

const isolations: readonly Isolation[] = ['file', 'worker', 'run'];

/** The options of a database for a whole test run; it stops with the run. */
export interface RunDatabaseOptions extends Omit<StartDatabaseOptions, 'signal'> {
  /** Who gets a fresh database, with your migrations. Default: `file`, each test file. */
  readonly isolation?: Isolation;
  /** Whether the database of a test file that fails is kept for an hour, with a line that says how to look at it. Default: whether `JIG_KEEP` is set. */
  readonly keepOnFailure?: boolean;
}

export function checkIsolation(isolation: Isolation): Isolation {
  if (isolations.includes(isolation)) return isolation;
  throw new DatabaseError(
    'JIG_DATABASE_OPTION_INVALID',
    `The option isolation must be ${isolations.join(', ')}, not ${JSON.stringify(isolation)}.`,
  );
}
