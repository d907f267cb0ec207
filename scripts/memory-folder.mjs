// Set-up of the tests: a temporary folder in memory, where there is room for one.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const place = '/dev/shm';
const needed = 4 * 1024 ** 3;

/** Device, path, type and options of each mounted file system. */
const mounts = () =>
  readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '));

/** Whether it is in memory, has room for the files of all tests, and programs can be run from there; not so in most containers. */
function canHoldTests() {
  try {
    const { bavail, bsize } = statfsSync(place);
    const [, , type, options] = mounts().find(([, path]) => path === place);
    return type === 'tmpfs' && !options.split(',').includes('noexec') && Math.min(bavail * bsize, freemem()) > needed;
  } catch {
    return false;
  }
}

/**
 * Tests make and remove thousands of files, most of them those of databases. ext4 gives no inode away for minutes after a
 * file was removed, and looks at all of them for each new file: half of the processor time of tests with a database.
 */
export const memoryFolder = canHoldTests() ? join(place, `jig-tests-${process.pid}`) : undefined;

export default function () {
  if (memoryFolder === undefined) return undefined;
  mkdirSync(memoryFolder);
  // As that of the system: servers run as another user.
  chmodSync(memoryFolder, 0o1777);
  return () => {
    // A test that failed may have left a small disk mounted.
    for (const [, path] of mounts()) if (path?.startsWith(`${memoryFolder}/`)) spawnSync('umount', ['-l', path]);
    rmSync(memoryFolder, { recursive: true, force: true, maxRetries: 5 });
  };
}
