import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The bytes that the address of a Unix socket has room for: 108 on Linux and 104 on macOS, the last of them zero. */
const longestSocketPath = 103;

/** The folders in which instances of this user are announced, the preferred one first; none if users cannot be distinguished. */
function folderNames(): readonly string[] {
  const uid = process.geteuid?.();
  // Deno would ask the user whether files may be read; Bun is untested.
  if (uid === undefined || process.versions.deno !== undefined || process.versions.bun !== undefined) return [];
  const { XDG_RUNTIME_DIR: runtime } = process.env;
  const temporary = join(tmpdir(), `jig-${uid}`);
  return runtime === undefined || runtime === '' ? [temporary] : [join(runtime, 'jig'), temporary];
}

/** Why a folder cannot be trusted: whoever can write there could pretend to be an instance. Undefined when it can be. */
function distrust(folder: string): string | undefined {
  // Not through a link, whose owner could change it.
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return 'is not there';
  if (!found.isDirectory()) return 'is not a folder';
  if (found.uid !== process.geteuid?.()) return 'belongs to another user';
  return (found.mode & 0o077) === 0 ? undefined : 'is open to other users';
}

/** The folders that instances of this user may be in. */
export const instancesFolders = (): readonly string[] =>
  folderNames().filter((folder) => distrust(folder) === undefined);

/** The folder in which this process announces itself, made if it is not there; throws an error that says why there is none. */
export function instancesFolder(file = ''): string {
  const reasons: string[] = [];
  for (const folder of folderNames()) {
    const reason = tooLong(join(folder, file)) ?? make(folder) ?? distrust(folder);
    if (reason === undefined) return folder;
    reasons.push(`${folder} ${reason}`);
  }
  throw new Error(reasons.length === 0 ? 'only Node on Linux and macOS can do so' : reasons.join(', '));
}

const tooLong = (path: string) =>
  Buffer.byteLength(path) > longestSocketPath ? 'is too long a path for a socket' : undefined;

function make(folder: string): string | undefined {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') return `cannot be made (${code})`;
  }
  return undefined;
}
