import { expect, it } from 'vitest';
import { foldersIn, makePrivateFolder, prepareFolders } from './folders.ts';

it.runIf(process.platform === 'linux')(
  'a folder below /proc that cannot be made is an error, not an endless loop',
  async () => {
    await expect(prepareFolders(foldersIn('/proc/nope/database'), undefined)).rejects.toMatchObject({
      code: 'JIG_DATABASE_FOLDER_UNUSABLE',
      folder: '/proc/nope/database',
    });
    await expect(makePrivateFolder('/proc/nope/run', undefined)).rejects.toMatchObject({ code: 'ENOENT' });
  },
);
