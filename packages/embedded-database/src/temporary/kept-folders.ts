import { readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readJson, removeFolder } from '../supervisor/folders.ts';
import { isAlive, type ProcessIdentity } from '../supervisor/process-identity.ts';

/** A database that is kept for people to look at, since a test in it has failed. */
export interface KeptDatabase {
  readonly name: string;
  /** The test file. */
  readonly file: string;
  readonly url: string;
}

/** What a folder with kept databases says about itself. */
export interface KeptFolder {
  /** When it is removed, as milliseconds since 1970. */
  readonly until: number;
  readonly databases: readonly KeptDatabase[];
  /** The process that runs the server; undefined until it does. */
  readonly keeper?: ProcessIdentity;
}

const prefix = 'kept-';
/** How long the process that runs the server may take to say so. */
const startPeriod = 120_000;

const noteIn = (folder: string) => join(folder, 'kept.json');

export const keptFolderIn = (root: string, id: string) => join(root, `${prefix}${id}`);

export async function writeKeptFolder(folder: string, kept: KeptFolder): Promise<void> {
  const draft = `${noteIn(folder)}.draft`;
  await writeFile(draft, JSON.stringify(kept), { mode: 0o600 });
  await rename(draft, noteIn(folder));
}

/** Those whose servers run, the newest last; what is left of others is removed. */
export async function keptFolders(root: string): Promise<readonly (KeptFolder & { readonly folder: string })[]> {
  const names = (await readdir(root)).filter((name) => name.startsWith(prefix));
  const found = await Promise.all(names.map((name) => keptOrRemoved(join(root, name))));
  return found.filter((kept) => kept !== undefined).sort((one, other) => one.until - other.until);
}

async function keptOrRemoved(folder: string) {
  const kept = await readJson<KeptFolder>(noteIn(folder));
  if (kept?.keeper !== undefined && (await isAlive(kept.keeper))) return { ...kept, folder };
  const made = await stat(folder).catch(() => undefined);
  const isStarting = kept?.keeper === undefined && made !== undefined && Date.now() - made.ctimeMs < startPeriod;
  if (!isStarting) await removeFolder(folder);
  return undefined;
}
