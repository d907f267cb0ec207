import { isDiskFull } from '../connection/connection-errors.ts';
import type { ConnectionOptions } from '../connection/connection-options.ts';
import { probe } from '../connection/probe.ts';
import { DatabaseError, type DatabaseErrorCode, diskFullSentence } from '../errors.ts';
import { ownName, type ServerSetup } from './engine.ts';

/** A pattern in the output of a server and the error to report. The message may use the groups of the match. */
export interface StartupErrorPattern {
  readonly pattern: RegExp;
  readonly code: DatabaseErrorCode;
  readonly message: (match: RegExpExecArray) => string;
  /** Whether it goes away by itself. */
  readonly isTemporary?: boolean;
}

/** The first match wins, so specific patterns come before general ones. */
export function matchStartupError(
  patterns: readonly StartupErrorPattern[],
  lines: readonly string[],
): DatabaseError | undefined {
  const said = lines.join('\n');
  for (const { pattern, code, message, isTemporary = false } of patterns) {
    const match = pattern.exec(said);
    if (match !== null) return new DatabaseError(code, message(match), { isTemporary });
  }
  return undefined;
}

const settingName = /^[A-Za-z][\w.-]*$/;

/** Names of server settings become arguments, so they must look like names. */
export function checkSettingNames(settings: Readonly<Record<string, string>>): void {
  const wrong = Object.keys(settings).find((name) => !settingName.test(name));
  if (wrong !== undefined) throw settingRefused(wrong);
}

function settingRefused(name: string): Error {
  return new DatabaseError(
    'JIG_DATABASE_SETTING_REFUSED',
    `The database server does not accept the setting "${name}" of database.serverSettings. Correct or remove it.`,
    { fields: { setting: name } },
  );
}

const wrongPassword = new Set(['28P01', 'ER_ACCESS_DENIED_ERROR']);
const noDatabase = new Set(['3D000', 'ER_BAD_DB_ERROR']);

/** Connects as the application will, so that a wrong password is reported at the start. */
export async function checkFirstConnection(
  title: string,
  connection: ConnectionOptions,
  { dataFolder, passwordFile }: Pick<ServerSetup, 'dataFolder' | 'passwordFile'>,
): Promise<void> {
  try {
    await probe(connection);
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (wrongPassword.has(code))
      throw new DatabaseError(
        'JIG_DATABASE_PASSWORD_WRONG',
        `${title} does not accept the password in ${passwordFile}: the data in ${dataFolder} was made with another. Restore that file from the backup that the data is from; the data is untouched.`,
        { cause: error, fields: { file: passwordFile, folder: dataFolder } },
      );
    if (noDatabase.has(code))
      throw new DatabaseError(
        'JIG_DATABASE_DAMAGED',
        `The data in ${dataFolder} has no database "${ownName}": making it was cut short, or somebody removed it. Restore the folder from a backup, or move it away if nothing was kept in it.`,
        { cause: error, fields: { folder: dataFolder } },
      );
    if (isDiskFull(error))
      throw new DatabaseError('JIG_DATABASE_DISK_FULL', diskFullSentence(`database folder ${dataFolder}`), {
        cause: error,
        fields: { folder: dataFolder },
      });
    // A server that is only slow is left to the prober.
  }
}
