import { randomUUID } from 'node:crypto';
import { type link, type rename, rm, writeFile } from 'node:fs/promises';

/**
 * Atomically writes a file that only its owner can read: a flushed draft is moved to the path by `rename`, which replaces an existing file, or
 * by `link`, which fails if there is one.
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
