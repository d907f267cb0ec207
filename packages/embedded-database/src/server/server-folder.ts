import { DataDirAccess } from './data-dir-access.ts';
import { FolderOwner } from './folder-owner.ts';
import { filesIn, fillFolder, hasContent, prepareFolders, removeDrafts, removeFolder } from './folders.ts';
import { checkData, initialise, readOrCreatePassword } from './initialise.ts';
import { throwIfStopped } from './launch.ts';
import { libraryEnvironment } from './package-programs.ts';
import { type PostgresqlPrograms, requirePrograms } from './programs.ts';
import { type RunAs, runAs } from './run-as.ts';
import { ServerLog } from './server-log.ts';
import type { SpawnContext } from './server-process.ts';

export interface FolderOptions {
  /** The folder for data, password and log. */
  readonly home: string;
  /** Default: those of the PostgreSQL that comes along. */
  readonly programs?: PostgresqlPrograms;
  /** As whom the server runs when the application runs as root. */
  readonly user: string;
  /** The data is removed when the server stops, so speed counts more than durability. */
  readonly temporary: boolean;
  /** The whole folder is removed when the application dies. */
  readonly isDisposable?: boolean;
  /** Called with each line of the server's output. */
  readonly onLine?: ((line: string) => void) | undefined;
}

export interface NewData {
  /** By which texts are compared in a new database, as `en-US`; by code points otherwise. */
  readonly locale?: string | undefined;
  /** More arguments for `initdb`. */
  readonly initialiseArguments?: readonly string[];
  /** Fills an empty data folder with files that belong to the password in the password file. */
  readonly fill?: ((folder: string) => Promise<void>) | undefined;
}

/** The folder of a server, held by this application, and what programs need to run in it. */
export interface ServerFolder extends SpawnContext {
  /** `PostgreSQL 18.4` */
  readonly title: string;
  readonly files: ReturnType<typeof filesIn>;
  readonly programs: PostgresqlPrograms;
  /** For the programs. */
  readonly env: Readonly<Record<string, string>>;
  readonly user: RunAs | undefined;
  readonly password: string;
  readonly temporary: boolean;
  /** What is removed when the application dies. */
  readonly disposable: string;
  readonly owner: FolderOwner;
}

/** Throws when another application holds it. */
export async function openFolder({
  home,
  temporary,
  isDisposable = false,
  onLine,
  ...wanted
}: FolderOptions): Promise<ServerFolder> {
  const files = filesIn(home);
  const user = await runAs(wanted.user);
  await prepareFolders(home, user);
  const owner = await FolderOwner.take(files.owner);
  let access: DataDirAccess | undefined;
  try {
    const programs = wanted.programs ?? (await requirePrograms({}, user));
    access = await DataDirAccess.to(home, user);
    const env = await libraryEnvironment(programs.native, files.libraries);
    const dataExists = !temporary && (await hasContent(files.data));
    const password = await readOrCreatePassword(files.password, { dataExists });
    const log = new ServerLog(files.log, onLine);
    const title = `PostgreSQL ${programs.version}`;
    const disposable = isDisposable ? home : temporary ? files.data : '';
    return { title, files, programs, env, user, password, temporary, disposable, owner, access, log };
  } catch (error) {
    await access?.close();
    await owner.release();
    throw error;
  }
}

/** Removes temporary data. */
export async function closeFolder({ files, temporary, owner, access, log }: ServerFolder): Promise<void> {
  await removeFolder(temporary ? files.data : files.url);
  await log.written();
  await access.close();
  await owner.release();
}

/** Creates a database if there is none; existing data is checked, never changed. */
export async function ensureData(
  folder: ServerFolder,
  data: NewData,
  { stop, onInitialise }: { readonly stop: AbortSignal; readonly onInitialise: () => void },
): Promise<void> {
  const { files, programs, user, temporary } = folder;
  await removeDrafts(files.data);
  if (temporary) await removeFolder(files.data);
  if (await hasContent(files.data)) return checkData(files.data, programs.version);
  if (data.fill !== undefined) {
    await fillFolder(files.data, user, data.fill, { flush: false });
    return throwIfStopped(folder, stop);
  }
  onInitialise();
  await fillFolder(files.data, user, (draft) => initialise(draft, folder, data, stop), { flush: true });
}
