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

  /** Leaves no room, also where a server frees some meanwhile; it may take the last of it. */
  async fill(): Promise<void> {
    for (;;) {
      const { bavail, bsize } = await statfs(this.folder);
      if (bavail === 0) return;
      const file = join(this.folder, `filler-${(await readdir(this.folder)).length}`);
      await writeFile(file, Buffer.alloc(bavail * bsize)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOSPC') throw error;
      });
    }
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
