import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { DatabaseError } from '../errors.ts';
import { credentials, type RunAs } from './run-as.ts';

/** The path of the folder within the server process, through its inherited descriptor. */
const inServer = '/proc/self/fd/3/';

/** How the server reaches its folder. */
export interface DataDirAccess {
  /** File descriptors that the server inherits besides its standard streams. */
  readonly descriptors: readonly number[];
  /** Replaces paths into the folder by those that the server must use. */
  translate(text: string): string;
  /** Replaces the server's own paths in its output by the real ones. */
  translateBack(text: string): string;
  close(): Promise<void>;
}

/**
 * When the application runs as root, the server's user may lack access to a parent folder (the home of root, a temporary folder). Then the
 * server inherits a descriptor of the folder, which gives access only to files that its user owns.
 */
export async function openDataDirAccess(home: string, user: RunAs | undefined): Promise<DataDirAccess> {
  const isOpen = user === undefined || (await canReach(home, user));
  if (!isOpen && process.platform !== 'linux')
    throw new DatabaseError(
      'JIG_DATABASE_FOLDER_UNUSABLE',
      `The database folder ${home} cannot be reached by the user ${user.name}, as which the server runs under root. Choose another (JIG_HOME).`,
    );
  const handle = isOpen ? undefined : await open(home);
  return {
    descriptors: handle === undefined ? [] : [handle.fd],
    translate: (text) => (handle === undefined ? text : text.replaceAll(`${home}/`, inServer)),
    translateBack: (text) => text.replaceAll(inServer, `${home}/`),
    close: async () => handle?.close(),
  };
}

/** The permissions of every parent folder count too, so this is tried as that user. */
async function canReach(home: string, user: RunAs): Promise<boolean> {
  const child = spawn('/bin/sh', ['-c', 'cd -- "$1"', 'sh', home], { cwd: '/', stdio: 'ignore', ...credentials(user) });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}
