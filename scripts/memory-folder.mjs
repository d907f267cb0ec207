// Set-up of the tests: a temporary folder in memory, where there is room for one.
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
const prefix = 'jig-tests-';
const neededBytes = 4 * 1024 ** 3;

/**
 * Tests make and remove thousands of files, most of them those of databases. ext4 gives no inode away for minutes after a
 * file was removed, and looks at all of them for each new file: half of the processor time of tests with a database.
 * Undefined where memory is scarce, or no program can be run from there, as in most containers.
 */
export const memoryFolder = canBeUsed() ? join(memory, `${prefix}${process.pid}`) : undefined;

function canBeUsed() {
  try {
    const { bavail, bsize } = statfsSync(memory);
    const options = new RegExp(`^\\S+ ${memory} tmpfs (\\S+)`, 'm').exec(readFileSync('/proc/mounts', 'utf8'))?.[1];
    return options?.includes('noexec') === false && Math.min(bavail * bsize, freemem()) > neededBytes;
  } catch {
    return false;
  }
}

export default function setup() {
  if (memoryFolder === undefined) return undefined;
  for (const entry of readdirSync(memory)) if (isAbandoned(entry)) remove(join(memory, entry));
  mkdirSync(memoryFolder);
  // As that of the system: servers run as another user.
  chmodSync(memoryFolder, 0o1777);
  return () => remove(memoryFolder);
}

/** Of a run that was killed. */
function isAbandoned(entry) {
  if (!entry.startsWith(prefix)) return false;
  try {
    process.kill(Number(entry.slice(prefix.length)), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

function remove(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
