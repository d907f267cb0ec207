import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  assertInTime,
  DamagedSessionError,
  type MergeOptions,
  type MergeOutcome,
  mergeAttributes,
  type SessionAttributes,
  type SessionRecord,
  type SessionStore,
} from '@jig/sessions';

export interface FileSessionStoreOptions {
  /** It is created if it does not exist. Only one process may use it. */
  readonly folder: string;
}

/** What a file holds. Attributes are a list, because `__proto__` and names of digits would suffer in an object. */
interface StoredSession {
  readonly expires: number;
  readonly attributes: [name: string, value: string][];
}

/** Sessions in a folder, a file for each. They survive a restart. */
export class FileSessionStore implements SessionStore {
  readonly #folder: string;
  /** The last change of each file that is being changed. */
  readonly #changes = new Map<string, Promise<unknown>>();

  constructor({ folder }: FileSessionStoreOptions) {
    this.#folder = folder;
  }

  read(id: string): Promise<SessionRecord | undefined> {
    return readSession(this.#file(id));
  }

  merge(id: string, entries: SessionAttributes, options: MergeOptions): Promise<MergeOutcome> {
    const { limits, timeToLive, deadline } = options;
    return this.#change(this.#file(id), async (file) => {
      const attributes = (await readSession(file))?.attributes ?? new Map<string, string>();
      const merged = mergeAttributes(attributes, entries, limits);
      assertInTime(deadline);
      if (merged.outcome === 'stored') await this.#write(file, merged.attributes, timeToLive);
      return merged.outcome;
    });
  }

  touch(id: string, timeToLive: number): Promise<void> {
    return this.#change(this.#file(id), async (file) => {
      const session = await readSession(file);
      if (session !== undefined) await this.#write(file, session.attributes, timeToLive);
    });
  }

  destroy(id: string, deadline?: number): Promise<void> {
    return this.#change(this.#file(id), (file) => {
      assertInTime(deadline);
      return rm(file, { force: true });
    });
  }

  async count(): Promise<number> {
    await this.removeExpired();
    return (await this.#files()).length;
  }

  /** Call it from time to time: expired sessions are not returned, but their files stay. */
  async removeExpired(): Promise<void> {
    const removeIfExpired = async (file: string) => {
      if ((await readSession(file)) === undefined) await rm(file, { force: true });
    };
    for (const file of await this.#files()) await this.#change(file, removeIfExpired);
  }

  /** Named by a hash: file systems may ignore case, and whoever reads the folder must not learn the ids. */
  #file(id: string): string {
    return join(this.#folder, `${createHash('sha256').update(id).digest('hex')}.json`);
  }

  async #files(): Promise<string[]> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const names = await readdir(this.#folder);
    return names.filter((name) => name.endsWith('.json')).map((name) => join(this.#folder, name));
  }

  /** Changes of one file are made one after the other, so that parallel merges lose nothing. */
  #change<Result>(file: string, change: (file: string) => Promise<Result>): Promise<Result> {
    const changed = (this.#changes.get(file) ?? Promise.resolve()).then(() => change(file));
    const settled = changed
      .catch(() => {}) // The caller gets the error; the next change is tried all the same.
      .finally(() => {
        if (this.#changes.get(file) === settled) this.#changes.delete(file);
      });
    this.#changes.set(file, settled);
    return changed;
  }

  /** Written beside and renamed, so that nobody reads half a file. */
  async #write(file: string, attributes: SessionAttributes, timeToLive: number): Promise<void> {
    const session: StoredSession = { expires: Date.now() + timeToLive, attributes: [...attributes] };
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeFile(`${file}.new`, JSON.stringify(session), { mode: 0o600 });
    await rename(`${file}.new`, file);
  }
}

async function readSession(file: string): Promise<SessionRecord | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const { expires, attributes } = parse(text);
  return expires > Date.now() ? { expires, attributes: new Map(attributes) } : undefined;
}

/** Says that this session alone is damaged, so that others are not refused. */
function parse(text: string): StoredSession {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DamagedSessionError('The file of the session is no JSON.', { cause });
  }
}
