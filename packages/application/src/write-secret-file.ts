import { randomUUID } from 'node:crypto';
import { type link, type rename, rm, writeFile } from 'node:fs/promises';

/**
 * Writes a file for its owner alone, whole or not at all: aside and down to the disk, and only then into its place, by `rename`, which
 * replaces a file that is there, or by `link`, which fails then.
 */
export async function writeSecretFile(
  path: string,
  content: string,
  place: typeof link | typeof rename,
): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, content, { flag: 'wx', mode: 0o600, flush: true });
    await place(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
