import { randomUUID } from 'node:crypto';
import { fsync } from 'node:fs';
import { open, readdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makePrivateFolder, removeFolder } from './folders.ts';
import type { RunAs } from './run-as.ts';

const mark = '.initialising-';

/** Fills a new folder beside the target and puts it in place when it is whole, so that a half-made database is never taken for one. */
export async function initialiseFolder(
  target: string,
  user: RunAs | undefined,
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = `${target}${mark}${randomUUID()}`;
  try {
    await makePrivateFolder(draft, user);
    await fill(draft);
    // Replaces nothing but an empty folder: rename(2) refuses any other.
    await rename(draft, target);
    await flushFolder(dirname(target));
  } catch (error) {
    await removeFolder(draft);
    throw error;
  }
}

/** Removes what an initialisation that was killed left behind; only folders that carry the mark of one. */
export async function removeDrafts(target: string): Promise<void> {
  const entries = await readdir(dirname(target));
  const drafts = entries.filter((entry) => entry.startsWith(`${basename(target)}${mark}`));
  await Promise.all(drafts.map((draft) => removeFolder(join(dirname(target), draft))));
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    // Under Yarn Plug'n'Play, file handles have no sync().
    await promisify(fsync)(handle.fd);
  } finally {
    await handle.close();
  }
}
