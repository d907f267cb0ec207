import { readFile, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from '../errors.ts';
import { pidFileOf, serverIn } from './process-identity.ts';
import { type ServerCommand, ServerProcess, type SpawnContext, type StopStep } from './server-process.ts';
import { explain, logExcerpt, type Place } from './startup-errors.ts';

const readinessInterval = 10;

/** How a server is started and stopped. */
export interface Launch extends Place {
  readonly command: ServerCommand;
  readonly stopSteps: readonly StopStep[];
  readonly startTimeout: number;
}

/** Starts the server and waits until it says that it is ready. */
export async function launch(server: Launch, context: SpawnContext, stop: AbortSignal): Promise<ServerProcess> {
  const { title, dataFolder, command, stopSteps, startTimeout } = server;
  const pidFile = pidFileOf(dataFolder);
  context.log.clear();
  if ((await serverIn(dataFolder)) === undefined) await rm(pidFile, { force: true });
  const run = await ServerProcess.spawn(command, context, 'SIGINT');
  try {
    const deadline = performance.now() + startTimeout;
    while (!(await isReady(pidFile, run.pid))) {
      if (run.hasEnded) throw explained(server, context, `${title} did not start (${await run.ended}).`);
      if (performance.now() > deadline)
        throw explained(server, context, `${title} was not ready within ${startTimeout / 1000} s (startTimeout).`);
      throwIfStopped(title, stop);
      await sleep(readinessInterval);
    }
    // It may have become ready while it was being stopped.
    throwIfStopped(title, stop);
    return run;
  } catch (error) {
    await run.stop(stopSteps);
    throw error;
  }
}

/** Line 8 of `postmaster.pid` is its state: PostgreSQL's `pidfile.h`. */
async function isReady(pidFile: string, pid: number): Promise<boolean> {
  const lines = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

/** Runs a command of an initialisation to its end. It is killed with the application, because its result is thrown away then. */
export async function runToEnd(
  place: Place,
  command: ServerCommand,
  context: SpawnContext,
  stop: AbortSignal,
): Promise<void> {
  const run = await ServerProcess.spawn(command, context, 'SIGKILL');
  const kill = () => void run.kill();
  stop.addEventListener('abort', kill);
  const end = await run.ended;
  stop.removeEventListener('abort', kill);
  throwIfStopped(place.title, stop);
  if (end !== 'exit code 0') throw explained(place, context, `A new database could not be made (${end}).`);
}

export function throwIfStopped(title: string, stop: AbortSignal): void {
  if (stop.aborted) throw new DatabaseError('JIG_DATABASE_STOPPED', `${title} was stopped while it started.`);
}

/** The error that PostgreSQL's output means, otherwise the sentence with an excerpt of it. */
function explained(place: Place, { log }: SpawnContext, sentence: string): DatabaseError {
  const logTail = log.tail();
  const known = explain(log.tail(Number.POSITIVE_INFINITY), place);
  if (known !== undefined) return Object.assign(known, { logTail });
  const words = logExcerpt(logTail);
  const said = words === '' ? ' It said nothing.' : ` It said: ${words}`;
  return new DatabaseError('JIG_DATABASE_START_FAILED', `${sentence}${said} (more in ${log.path})`, {
    fields: { logTail },
  });
}
