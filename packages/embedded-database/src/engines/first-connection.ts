import { DatabaseError } from '../errors.ts';
import { isDiskFull } from '../pool/disk-full.ts';
import { diskFullSentence } from '../supervisor/folders.ts';
import { type ConnectionOptions, ownName, type ServerPlace } from './engine.ts';
import { probe } from './probe.ts';

const wrongPassword = new Set(['28P01', 'ER_ACCESS_DENIED_ERROR']);
const noDatabase = new Set(['3D000', 'ER_BAD_DB_ERROR']);

/** Connects as the application will, so that data that does not fit its password is told at the start, in a sentence. */
export async function connectFirst(
  title: string,
  connection: ConnectionOptions,
  { dataFolder, passwordFile }: Pick<ServerPlace, 'dataFolder' | 'passwordFile'>,
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
    // A server that is only slow to answer is for those who watch it.
  }
}
