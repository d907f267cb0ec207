import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError, errorMessage } from '../errors.ts';
import { pidFileOf, serverIn } from './process-identity.ts';
import type { ServerFolder } from './server-folder.ts';
import { ServerProcess, type StopStep } from './server-process.ts';
import { explain, logExcerpt } from './startup-errors.ts';

const readinessInterval = 10;

/** Begins with a fast shutdown (SIGINT), since SIGTERM would wait for all clients to disconnect. */
export const fastShutdown: readonly StopStep[] = [
  ['SIGINT', 5000],
  ['SIGQUIT', 2000],
];
/** Tests stop a server right after `pool.end()` of pg, which does not wait for its connections; a fast shutdown would cause an uncaught error. */
const smartShutdown: StopStep = ['SIGTERM', 500];

/** The signals that stop a server, with their time-outs. */
export const stopSteps = ({ temporary }: ServerFolder): readonly StopStep[] =>
  temporary ? [smartShutdown, ...fastShutdown] : fastShutdown;

export interface LaunchOptions {
  /** On the loopback address. */
  readonly port: number;
  /** The server's own settings, by its own names. */
  readonly settings: Readonly<Record<string, string>>;
  /** In milliseconds. */
  readonly startTimeout: number;
}

/** Starts the server of a folder and waits until it says that it is ready. */
export async function launch(
  folder: ServerFolder,
  { port, settings, startTimeout }: LaunchOptions,
  stop: AbortSignal,
): Promise<ServerProcess> {
  const { title, files, programs, log, temporary, disposable } = folder;
  const pidFile = pidFileOf(files.data);
  log.clear();
  if ((await serverIn(files.data)) === undefined) await rm(pidFile, { force: true });
  const fastSettings = temporary ? { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' } : {};
  const fixedSettings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    logging_collector: 'off',
    log_destination: 'stderr',
  };
  const all = Object.entries({ log_checkpoints: 'off', ...fastSettings, ...settings, ...fixedSettings });
  const args = ['-D', files.data, ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const run = await ServerProcess.spawn(folder, programs.postgres, args, temporary ? 'SIGKILL' : 'SIGINT', disposable);
  try {
    const deadline = performance.now() + startTimeout;
    while (!(await isReady(pidFile, run.pid))) {
      if (run.hasEnded) throw startError(folder, `${title} did not start (${await run.ended}).`, port);
      if (performance.now() > deadline)
        throw startError(folder, `${title} was not ready within ${startTimeout / 1000} s (startTimeout).`, port);
      stop.throwIfAborted();
      await sleep(readinessInterval);
    }
    // A stop may have been requested meanwhile.
    stop.throwIfAborted();
    return run;
  } catch (error) {
    await run.stop(stopSteps(folder));
    throw error;
  }
}

/** Line 8 of `postmaster.pid` is its state: PostgreSQL's `pidfile.h`. */
async function isReady(pidFile: string, pid: number): Promise<boolean> {
  const lines = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

/** Runs a program such as `initdb` to its end. It is killed with the application, since its incomplete result is removed anyway. */
export async function runToEnd(
  folder: ServerFolder,
  program: string,
  args: readonly string[],
  stop: AbortSignal,
): Promise<void> {
  const run = await ServerProcess.spawn(folder, program, args, 'SIGKILL');
  const kill = () => void run.stop([]);
  stop.addEventListener('abort', kill);
  const end = await run.ended;
  stop.removeEventListener('abort', kill);
  stop.throwIfAborted();
  if (end !== 'exit code 0') throw startError(folder, `A new database could not be made (${end}).`);
}

/** The known error that matches PostgreSQL's output, otherwise the sentence with an excerpt of the output. */
function startError({ log, files, access }: ServerFolder, sentence: string, port = 0): DatabaseError {
  const lines = log.tail(Number.POSITIVE_INFINITY).map((line) => access.translateBack(line));
  const known = explain(lines, { dataFolder: files.data, port });
  const logTail = log.tail();
  if (known !== undefined) return Object.assign(known, { logTail });
  const said = logExcerpt(logTail) || 'nothing';
  return new DatabaseError('JIG_DATABASE_START_FAILED', `${sentence} It said: ${said} (more in ${log.path})`, {
    fields: { logTail },
  });
}

export function freePort(): Promise<number> {
  return new Promise((resolved, reject) => {
    const server = createServer();
    server.on('error', (cause) => {
      const why = `No port is free on the loopback address: ${errorMessage(cause)}. Close some connections.`;
      reject(new DatabaseError('JIG_DATABASE_PORT_TAKEN', why, { cause }));
    });
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolved(port));
    });
  });
}
