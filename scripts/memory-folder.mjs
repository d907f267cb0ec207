// Set-up of the tests: a temporary folder in memory, where there is room for one.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { dirname, join } from 'node:path';

const place = '/dev/shm';

/**
 * Tests make and remove thousands of files, most of them those of databases. ext4 gives no inode away for minutes after a
 * file was removed, and looks at all of them for each new file: half of the processor time of tests with a database.
 * Undefined where memory is scarce, or no program can be run from there, as in most containers.
 */
export const memoryFolder = canHoldTests(place) ? join(place, `jig-tests-${process.pid}`) : undefined;

/** Whether a folder is a file system in memory from which programs can be run, with room for the files of all tests. */
export function canHoldTests(folder, { needed = 4 * 1024 ** 3, free = freemem(), mounts = '/proc/mounts' } = {}) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    const [, , type, options] = readMounts(mounts).find(([, path]) => path === folder);
    return type === 'tmpfs' && !options.split(',').includes('noexec') && Math.min(bavail * bsize, free) > needed;
  } catch {
    return false;
  }
}

/** Device, path, type and options of each mounted file system. */
const readMounts = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split(' '));

export default () => (memoryFolder === undefined ? undefined : makeMemoryFolder(memoryFolder));

/** Makes the folder, removes those beside it of runs that were killed, and gives the function that removes it at the end. */
export function makeMemoryFolder(folder, { rm = rmSync } = {}) {
  for (const entry of readdirSync(dirname(folder))) {
    const [, pid] = /^jig-tests-(\d+)$/.exec(entry) ?? [];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) remove(join(dirname(folder), entry), rm);
  }
  mkdirSync(folder);
  // As that of the system: servers run as another user.
  chmodSync(folder, 0o1777);
  return () => remove(folder, rm);
}

/** A run that was killed leaves its small disks mounted. What cannot be removed is named and left. */
function remove(folder, rm) {
  try {
    for (const [, path] of readMounts('/proc/mounts'))
      if (path?.startsWith(`${folder}/`)) spawnSync('umount', ['-l', path]);
    rm(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    console.warn(`${folder} cannot be removed: ${error.code}`);
  }
}
