import { spawnSync } from 'node:child_process';
import { mkdir, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const needed =
  'A test of a full disk needs a small file system: run it as root with the right to mount (in a container: --cap-add SYS_ADMIN).';

/** A file system of a few megabytes, so that a real server meets a disk that is really full. */
export class SmallDisk {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Where mounting is not allowed, the test is skipped and says what it needs. */
  static async mount(folder: string, megabytes: number, skip: (reason: string) => never): Promise<SmallDisk> {
    await mkdir(folder, { recursive: true });
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder]);
    if (status !== 0) {
      console.warn(needed);
      skip(needed);
    }
    return new SmallDisk(folder);
  }

  /** Leaves room for so many kilobytes. */
  async fill(kilobytes = 0): Promise<void> {
    const { bavail, bsize } = await statfs(this.folder);
    const free = bavail * bsize - kilobytes * 1024;
    const number = (await readdir(this.folder)).length;
    if (free <= 0) return;
    await writeFile(join(this.folder, `filler-${number}`), Buffer.alloc(free)).catch((error: NodeJS.ErrnoException) => {
      // The server may have written in between: the disk is full then as well.
      if (error.code !== 'ENOSPC') throw error;
    });
  }

  /** Takes away what filled it. */
  async empty(): Promise<void> {
    const fillers = (await readdir(this.folder)).filter((name) => name.startsWith('filler-'));
    await Promise.all(fillers.map((name) => rm(join(this.folder, name))));
  }

  resize(megabytes: number): void {
    const { status, stderr } = spawnSync('mount', ['-o', `remount,size=${megabytes}m`, this.folder], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`The small disk cannot be resized: ${stderr}`);
  }

  async unmount(): Promise<void> {
    spawnSync('umount', ['-l', this.folder]);
  }
}
