import { CodedError, type CodedErrorOptions } from '@jig/http/coded-error';

export { errorMessage } from '@jig/http/coded-error';

/** The catalogue of database errors, from which `docs/errors.md` is generated. */
export const databaseErrors = {
  JIG_DATABASE_FOLDER_HELD: {
    when: 'Another process runs a database on the same folder.',
    fix: 'Stop the process named, or set another `JIG_HOME`.',
  },
  JIG_DATABASE_FOLDER_UNUSABLE: {
    when: 'The server may not use its folder, or it holds something else.',
    fix: 'Do what the message says, or set another `JIG_HOME`.',
  },
  JIG_DATABASE_VERSION_DIFFERS: {
    when: 'Another major version wrote the data.',
    fix: 'Dump it with the old version.',
  },
  JIG_DATABASE_DAMAGED: {
    when: 'The server finds its data damaged.',
    fix: 'Restore the folder from a backup.',
  },
  JIG_DATABASE_PASSWORD_WRONG: {
    when: 'The file with the password of the data is gone or wrong.',
    fix: 'Restore it from the backup of this data.',
  },
  JIG_DATABASE_PORT_TAKEN: {
    when: 'Something else listens on `database.port`.',
    fix: 'Stop it, or set another port.',
  },
  JIG_DATABASE_DISK_FULL: {
    when: 'The disk that holds the database is full.',
    fix: 'Free some space.',
  },
  JIG_DATABASE_SERVER_UNAVAILABLE: {
    when: 'The requested PostgreSQL is missing, or does not run here.',
    fix: 'Install it, ask for the one named, or set `DATABASE_URL`.',
  },
  JIG_DATABASE_USER_UNKNOWN: {
    when: '`database.user` names nobody on this machine.',
    fix: 'Name one that exists.',
  },
  JIG_DATABASE_SETTING_REFUSED: {
    when: 'The server refuses one of `database.serverSettings`.',
    fix: 'Correct what the message names.',
  },
  JIG_DATABASE_START_FAILED: {
    when: 'The server ended while it started, was not ready in time, or made no new database.',
    fix: 'See the log file named, or raise `database.startTimeout`.',
  },
  JIG_DATABASE_STOPPED: {
    when: 'The database was stopped while it started.',
    fix: 'Nothing is wrong.',
  },
  JIG_DATABASE_ADDRESS_INVALID: {
    when: '`DATABASE_URL` is no address of a PostgreSQL database.',
    fix: 'Write `postgres://user:password@host/database`.',
  },
  JIG_DATABASE_UNREACHABLE: {
    when: 'The database of `DATABASE_URL` did not answer at the start.',
    fix: 'Check that it runs, the address, user and password.',
  },
  JIG_DATABASE_NOT_READY: {
    when: 'The database is down, restarting, or not yet started.',
    fix: '`/health` tells when it is ready.',
  },
  JIG_DATABASE_OPTION_INVALID: {
    when: 'An option of `startDatabase`, a set-up or `jig-database` is wrong.',
    fix: 'Correct the option named.',
  },
  JIG_DATABASE_MIGRATION_FAILED: {
    when: 'A statement of your migrations, or your function, failed.',
    fix: 'Correct the line named.',
  },
  JIG_DATABASE_EXISTS: {
    when: '`create` was asked for a database that exists.',
    fix: 'Choose another name, or drop it.',
  },
  JIG_DATABASE_TEMPLATE_UNUSABLE: {
    when: 'The database to clone is missing, or somebody is connected to it.',
    fix: 'Close connections, or give your migrations to `startDatabase`.',
  },
} as const;

export type DatabaseErrorCode = keyof typeof databaseErrors;

/** An error of the database, with a code of the catalogue above. */
export class DatabaseError extends CodedError<DatabaseErrorCode> {
  override readonly name = 'DatabaseError';
}

export const optionInvalid = (sentence: string, fields?: Readonly<Record<string, unknown>>) =>
  new DatabaseError('JIG_DATABASE_OPTION_INVALID', sentence, fields && { fields });

export const diskFull = (content: string, about: CodedErrorOptions = {}) =>
  new DatabaseError(
    'JIG_DATABASE_DISK_FULL',
    `The disk that holds the ${content} is full. The data is untouched; free some space and start again.`,
    about,
  );
