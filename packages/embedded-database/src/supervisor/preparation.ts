import { DataLock } from './data-lock.ts';
import { deathWithParent } from './death-with-parent.ts';
import {
  checkOwner,
  fileProblem,
  holdsSomething,
  prepareFolders,
  removeFolder,
  type SupervisorFolders,
} from './folders.ts';
import { initialiseFolder, removeDrafts } from './initialisation.ts';
import { runToEnd, type Surroundings } from './launch.ts';
import { endOrphan, findOrphan } from './orphan.ts';
import { Passage } from './passage.ts';
import type { RunAs } from './run-as.ts';
import type { ServerLog } from './server-log.ts';
import type { StateLog } from './state-log.ts';
import type { SupervisedServer } from './supervised-server.ts';

export interface PreparationOptions {
  readonly folders: SupervisorFolders;
  readonly user: RunAs | undefined;
  readonly log: StateLog;
  /** Makes the server known; called with the lock held, since it may write into the folder. */
  readonly prepare: () => Promise<SupervisedServer>;
  /** The data lives no longer than the server. */
  readonly temporary: boolean;
}

/** Takes the folder for this process alone. */
export async function takeFolder({ folders, user }: PreparationOptions): Promise<DataLock> {
  await prepareFolders(folders, user);
  try {
    return await DataLock.acquire(folders.lock);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    // A folder can be opened and not read, and that error does not say where.
    throw fileProblem(folders.home, Object.assign(error as Error, { path: folders.lock }));
  }
}

/** Clears away what earlier runs left behind, and nothing else. */
export async function clearTheWay(
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
  await removeDrafts(server.dataFolder);
  if (temporary) await removeFolder(server.dataFolder);
}

export async function surroundingsOf(
  server: SupervisedServer,
  { folders, user }: PreparationOptions,
  log: ServerLog,
): Promise<Surroundings> {
  const passage = await Passage.to(folders.home, user, { byDescriptor: server.runsByDescriptor });
  return { folder: folders.home, passage, user, log, death: await deathWithParent() };
}

/** Makes a new database where there is none; data that is there is looked at, never touched. */
export async function ensureData(
  server: SupervisedServer,
  around: Surroundings,
  stop: AbortSignal,
  onInitialise: () => void,
): Promise<void> {
  if (await holdsSomething(server.dataFolder)) {
    await checkOwner(server.dataFolder, around.user);
    return server.checkData();
  }
  onInitialise();
  await initialiseFolder(server.dataFolder, around.user, (draft) =>
    server.initialise(draft, (command) => runToEnd(server, command, around, stop)),
  );
}
