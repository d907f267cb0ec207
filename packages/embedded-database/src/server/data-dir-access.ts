import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { DatabaseError } from '../errors.ts';
import { credentials, type RunAs } from './run-as.ts';

/** The folder in the server, by the number that its descriptor has there. */
const inServer = '/proc/self/fd/3/';

/** The way of the server to its folder. */
export interface DataDirAccess {
  /** What the server gets beside its standard streams. */
  readonly descriptors: readonly number[];
  /** A text with paths into the folder as the server must write them. */
  translate(text: string): string;
  /** What the server writes, as people must read it. */
  translateBack(text: string): string;
  close(): Promise<void>;
}

/**
 * When the application runs as root, a folder above may be closed to the user that runs the server (the home of root, a temporary folder).
 * Then we open the folder for it and hand it the descriptor, through which it reaches what it owns itself and nothing else.
 */
export async function accessTo(home: string, user: RunAs | undefined): Promise<DataDirAccess> {
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

/** The rights of every folder above count too, so the other user simply tries. */
async function canReach(home: string, user: RunAs): Promise<boolean> {
  const child = spawn('/bin/sh', ['-c', 'cd -- "$1"', 'sh', home], { cwd: '/', stdio: 'ignore', ...credentials(user) });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}
