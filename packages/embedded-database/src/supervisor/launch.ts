import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError, type DatabaseErrorCode } from '../errors.ts';
import { type ServerCommand, ServerProcess, type SpawnOptions } from './server-process.ts';
import type { SupervisedServer } from './supervised-server.ts';

/** What every process of one supervisor has in common. */
export type SpawnContext = Omit<SpawnOptions, 'command' | 'deathSignal'>;

const readinessInterval = 10;
const stuckInterval = 250;

/** Runs a command of an initialisation to its end. It is killed with the application, because its result is thrown away then. */
export async function runToEnd(
  server: SupervisedServer,
  command: ServerCommand,
  context: SpawnContext,
  stop: AbortSignal,
): Promise<void> {
  const run = await ServerProcess.spawn({ ...context, command, deathSignal: 'SIGKILL' });
  const kill = () => void run.kill();
  stop.addEventListener('abort', kill);
  const watch = setInterval(() => server.isStuck(context.log.tail()) && kill(), stuckInterval);
  const end = await run.ended;
  clearInterval(watch);
  stop.removeEventListener('abort', kill);
  throwIfStopped(server, stop);
  if (end === 'exit code 0') return;
  const sentence = `A new database could not be made (${end}).`;
  throw explained(server, context, 'JIG_DATABASE_INITIALISATION_FAILED', sentence);
}

/** Starts the server and waits until it says that it is ready. */
export async function launch(
  server: SupervisedServer,
  context: SpawnContext,
  onSpawn: (run: ServerProcess) => Promise<void>,
  { timeout, stop }: { timeout: number; stop: AbortSignal },
): Promise<ServerProcess> {
  context.log.clear();
  await server.clearStalePidFile();
  const { title, deathSignal } = server;
  const failed = (code: DatabaseErrorCode, what: string) => explained(server, context, code, `${title} ${what}.`);
  const run = await ServerProcess.spawn({ ...context, command: server.command(), deathSignal });
  try {
    await onSpawn(run);
    const deadline = Date.now() + timeout;
    while (!(await server.isReady(run.identity.pid, context.log.tail(Number.POSITIVE_INFINITY)))) {
      if (server.isStuck(context.log.tail())) await run.kill();
      if (run.hasEnded) throw failed('JIG_DATABASE_START_FAILED', `did not start (${await run.ended})`);
      if (Date.now() > deadline)
        throw failed(
          'JIG_DATABASE_START_TIMEOUT',
          `was not ready within ${timeout / 1000} s, which database.startTimeout sets`,
        );
      throwIfStopped(server, stop);
      await sleep(readinessInterval);
    }
    // It may have become ready just as it was told to stop, and would run on.
    throwIfStopped(server, stop);
    return run;
  } catch (error) {
    await run.stop(server.stopSteps);
    throw error;
  }
}

export function throwIfStopped(server: SupervisedServer, stop: AbortSignal): void {
  if (stop.aborted) throw new DatabaseError('JIG_DATABASE_STOPPED', `${server.title} was stopped while it started.`);
}

/** The engine's explanation of the server's output, else the sentence with an excerpt of the output. */
function explained(
  server: SupervisedServer,
  { log }: SpawnContext,
  code: DatabaseErrorCode,
  sentence: string,
): DatabaseError {
  const known = server.explain(log.tail(Number.POSITIVE_INFINITY));
  if (known !== undefined) return Object.assign(known, { logTail: log.tail() });
  const words = logExcerpt(log.tail());
  const said = words === '' ? ' It said nothing.' : ` It said: ${words}`;
  return new DatabaseError(code, `${sentence}${said} (more in ${log.path})`, { fields: { logTail: log.tail() } });
}

/** Time and process id, which servers write before each line. */
const stamp = /^\d{4}-\d\d-\d\d[ T]+\d{1,2}:\d\d:\d\d(?:\.\d+)?(?: [A-Z]{3,5})?(?: \[?\d+\]?)? +/;
const complaint = /\b(?:FATAL|PANIC|ERROR)\b/;
const most = 3;

/** The errors in the output of a server, else its last lines, for use inside a sentence. */
export function logExcerpt(lines: readonly string[]): string {
  const bare = lines.map((line) => line.replace(stamp, '').replace(/\s+/g, ' ').trim()).filter(Boolean);
  const complaints = bare.filter((line) => complaint.test(line));
  return (complaints.length > 0 ? complaints : bare).slice(-most).join(' / ');
}
