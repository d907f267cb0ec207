import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import { DatabaseError } from '../errors.ts';
import { credentials, type RunAs } from './run-as.ts';

/** The folder in the server, by the number that its descriptor has there. */
const inServer = '/proc/self/fd/3/';

/**
 * The way of the server to its folder. When the application runs as root, a folder above may be closed to the user that runs the
 * server (the home of root, a temporary folder). Then we open the folder for it and hand it the descriptor, through which it reaches
 * what it owns itself and nothing else.
 */
export class DataDirAccess {
  readonly #home: string;
  readonly #handle: FileHandle | undefined;

  private constructor(home: string, handle?: FileHandle) {
    this.#home = home;
    this.#handle = handle;
  }

  static async to(home: string, user: RunAs | undefined): Promise<DataDirAccess> {
    if (user === undefined || (await canReach(home, user))) return new DataDirAccess(home);
    if (process.platform === 'linux') return new DataDirAccess(home, await open(home));
    throw new DatabaseError(
      'JIG_DATABASE_FOLDER_UNUSABLE',
      `The database folder ${home} cannot be reached by the user ${user.name}, as which the server runs under root. Choose another (JIG_HOME).`,
    );
  }

  /** What the server gets beside its standard streams. */
  get descriptors(): readonly number[] {
    return this.#handle === undefined ? [] : [this.#handle.fd];
  }

  /** A text with paths into the folder as the server must write them. */
  translate(text: string): string {
    return this.#handle === undefined ? text : text.replaceAll(`${this.#home}/`, inServer);
  }

  /** What the server writes, as people must read it. */
  translateBack(text: string): string {
    return text.replaceAll(inServer, `${this.#home}/`);
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }
}

/** The rights of every folder above count too, so the other user simply tries. */
async function canReach(home: string, user: RunAs): Promise<boolean> {
  const child = spawn('/bin/sh', ['-c', 'cd -- "$1"', 'sh', home], { cwd: '/', stdio: 'ignore', ...credentials(user) });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}
