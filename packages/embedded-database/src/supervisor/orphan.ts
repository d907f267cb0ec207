import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { plainCommandLineOf } from './passage.ts';
import { identify, isAlive, type ProcessIdentity, signal } from './process-identity.ts';
import { killFamily } from './server-process.ts';
import type { SupervisedServer } from './supervised-server.ts';

/**
 * A server of an earlier run that still lives on our data folder: the pid that we or the server itself wrote down, with the start time
 * we noted, and a command line that names this very folder. Anything less is somebody else's process and left alone.
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

export async function endOrphan(server: SupervisedServer, orphan: ProcessIdentity): Promise<void> {
  for (const { signal: name, patience } of server.stopSteps) {
    signal(orphan.pid, name);
    const deadline = Date.now() + patience;
    while (Date.now() < deadline) {
      if (!(await isAlive(orphan))) return;
      await sleep(20);
    }
  }
  await killFamily(orphan);
  while (await isAlive(orphan)) await sleep(20);
}

async function readRecord(path: string): Promise<ProcessIdentity | undefined> {
  try {
    const { pid, startTime } = JSON.parse(await readFile(path, 'utf8')) as Partial<ProcessIdentity>;
    return Number.isSafeInteger(pid) && typeof startTime === 'string' ? { pid: Number(pid), startTime } : undefined;
  } catch {
    return undefined;
  }
}
