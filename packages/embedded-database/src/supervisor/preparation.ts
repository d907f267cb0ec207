import { DataDirAccess, plainCommandLineOf } from './data-dir-access.ts';
import { DataLock, removeLockDrafts } from './data-lock.ts';
import {
  checkOwner,
  hasContent,
  initialiseFolder,
  prepareFolders,
  readJson,
  removeDrafts,
  removeFolder,
  type SupervisorFolders,
  toFolderError,
} from './folders.ts';
import { runToEnd, type SpawnContext, throwIfStopped } from './launch.ts';
import { detectParentDeathSignal } from './parent-death-signal.ts';
import { hasEndedWithin, identify, isAlive, type ProcessIdentity, signal } from './process-identity.ts';
import type { RunAs } from './run-as.ts';
import type { ServerLog } from './server-log.ts';
import { killProcessTree } from './server-process.ts';
import type { StateLog } from './state.ts';
import type { SupervisedServer } from './supervised-server.ts';

export interface PreparationOptions {
  readonly folders: SupervisorFolders;
  readonly user: RunAs | undefined;
  readonly log: StateLog;
  /** Creates the server; called with the lock held, since it may write into the folder. */
  readonly prepare: () => Promise<SupervisedServer>;
  /** The data is removed when the server stops. */
  readonly temporary: boolean;
  /** Fills an empty data folder faster than the server's own initialisation. */
  readonly fill?: ((folder: string) => Promise<void>) | undefined;
}

/** Makes the folder and locks it for this process. */
export async function takeFolder({ folders, user }: PreparationOptions): Promise<DataLock> {
  await prepareFolders(folders, user);
  try {
    return await DataLock.acquire(folders.lock);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    // The error of reading a folder (EISDIR) has no path.
    throw toFolderError(folders.home, Object.assign(error as Error, { path: folders.lock }));
  }
}

/** Ends the server and removes the drafts that an earlier run left behind, and nothing else. */
export async function cleanUpPreviousRun(
  server: SupervisedServer,
  { folders, log, temporary }: PreparationOptions,
): Promise<void> {
  const orphan = await findOrphan(server, folders.record);
  if (orphan !== undefined) {
    log.warn(
      { facts: { pid: orphan.pid } },
      `ending ${server.title} of an earlier run, which outlived its application`,
    );
    await endOrphan(server, orphan);
  }
  await removeLockDrafts(folders.home);
  await removeDrafts(server.dataFolder);
  if (temporary) await removeFolder(server.dataFolder);
}

export async function spawnContext(
  server: SupervisedServer,
  { folders, user }: PreparationOptions,
  log: ServerLog,
): Promise<SpawnContext> {
  const [access, parentDeathSignal] = await Promise.all([
    DataDirAccess.to(folders.home, user, { byDescriptor: server.runsByDescriptor }),
    detectParentDeathSignal(),
  ]);
  return { folder: folders.home, access, user, log, parentDeathSignal };
}

/** Makes a new database where there is none; data that is there is looked at, never touched. */
export async function ensureData(
  server: SupervisedServer,
  context: SpawnContext,
  stop: AbortSignal,
  { fill, onInitialise }: Pick<PreparationOptions, 'fill'> & { readonly onInitialise: () => void },
): Promise<void> {
  if (await hasContent(server.dataFolder)) {
    await checkOwner(server.dataFolder, context.user);
    return server.checkData();
  }
  if (fill !== undefined) {
    await initialiseFolder(server.dataFolder, context.user, fill, { flush: false });
    return throwIfStopped(server, stop);
  }
  onInitialise();
  await initialiseFolder(server.dataFolder, context.user, (draft) =>
    server.initialise(draft, (command) => runToEnd(server, command, context, stop)),
  );
}

/**
 * A server of an earlier run that still uses our data folder. The pid is the one that we or the server wrote to a file, the start time is
 * the recorded one, and the command line names this folder. Any other process is left alone.
 */
export async function findOrphan(server: SupervisedServer, record: string): Promise<ProcessIdentity | undefined> {
  const noted = await readRecord(record);
  const onFile = await server.pidOnFile();
  const candidates = [noted, onFile === undefined ? undefined : await identify(onFile)];
  for (const candidate of candidates) {
    if (candidate === undefined || !(await isAlive(candidate))) continue;
    const commandLine = await plainCommandLineOf(candidate.pid);
    if (commandLine !== undefined && server.recognises(commandLine)) return candidate;
  }
  return undefined;
}

async function endOrphan(server: SupervisedServer, orphan: ProcessIdentity): Promise<void> {
  for (const { signal: name, timeoutMs } of server.stopSteps) {
    signal(orphan.pid, name);
    if (await hasEndedWithin(timeoutMs, orphan)) return;
  }
  await killProcessTree(orphan);
  await hasEndedWithin(Number.POSITIVE_INFINITY, orphan);
}

/** The server process that was started last in a folder. */
export async function readRecord(path: string): Promise<ProcessIdentity | undefined> {
  const { pid, startTime } = (await readJson<Partial<ProcessIdentity> | null>(path)) ?? {};
  return Number.isSafeInteger(pid) && typeof startTime === 'string' ? { pid: Number(pid), startTime } : undefined;
}
