import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError, type DatabaseErrorCode } from '../errors.ts';
import { isPidFileOfRunning } from './process-identity.ts';
import { type ServerCommand, ServerProcess, type SpawnContext, type StopStep } from './server-process.ts';
import { explain, logExcerpt } from './startup-errors.ts';

const readinessInterval = 10;

/** How a server is started and stopped. */
export interface Launch {
  /** `PostgreSQL 18.4` */
  readonly title: string;
  readonly dataFolder: string;
  readonly port: number;
  readonly command: ServerCommand;
  readonly stopSteps: readonly StopStep[];
  readonly startTimeout: number;
}

/** Starts the server and waits until it says that it is ready. */
export async function launch(
  server: Launch,
  context: SpawnContext,
  onSpawn: (run: ServerProcess) => Promise<void>,
  stop: AbortSignal,
): Promise<ServerProcess> {
  const { title, command, stopSteps, startTimeout } = server;
  const pidFile = join(server.dataFolder, 'postmaster.pid');
  context.log.clear();
  if (!(await isPidFileOfRunning(pidFile))) await rm(pidFile, { force: true });
  const failed = (code: DatabaseErrorCode, what: string) => explained(server, context, code, `${title} ${what}.`);
  const run = await ServerProcess.spawn(command, context, 'SIGINT');
  try {
    await onSpawn(run);
    const deadline = performance.now() + startTimeout;
    while (!(await isReady(pidFile, run.identity.pid))) {
      if (run.hasEnded) throw failed('JIG_DATABASE_START_FAILED', `did not start (${await run.ended})`);
      if (performance.now() > deadline)
        throw failed('JIG_DATABASE_START_TIMEOUT', `was not ready within ${startTimeout / 1000} s (startTimeout)`);
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
  server: Pick<Launch, 'title' | 'dataFolder' | 'port'>,
  command: ServerCommand,
  context: SpawnContext,
  stop: AbortSignal,
): Promise<void> {
  const run = await ServerProcess.spawn(command, context, 'SIGKILL');
  const kill = () => void run.kill();
  stop.addEventListener('abort', kill);
  const end = await run.ended;
  stop.removeEventListener('abort', kill);
  throwIfStopped(server.title, stop);
  if (end === 'exit code 0') return;
  const sentence = `A new database could not be made (${end}).`;
  throw explained(server, context, 'JIG_DATABASE_INITIALISATION_FAILED', sentence);
}

export function throwIfStopped(title: string, stop: AbortSignal): void {
  if (stop.aborted) throw new DatabaseError('JIG_DATABASE_STOPPED', `${title} was stopped while it started.`);
}

/** The error that PostgreSQL's output means, otherwise the sentence with an excerpt of it. */
function explained(
  place: Pick<Launch, 'dataFolder' | 'port'>,
  { log }: SpawnContext,
  code: DatabaseErrorCode,
  sentence: string,
): DatabaseError {
  const known = explain(log.tail(Number.POSITIVE_INFINITY), place);
  if (known !== undefined) return Object.assign(known, { logTail: log.tail() });
  const words = logExcerpt(log.tail());
  const said = words === '' ? ' It said nothing.' : ` It said: ${words}`;
  return new DatabaseError(code, `${sentence}${said} (more in ${log.path})`, { fields: { logTail: log.tail() } });
}
