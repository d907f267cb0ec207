import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

/** Ends the server when the application dies, even by SIGKILL. */
export interface ParentDeathSignal {
  /** Wraps the command of the server. */
  wrap(command: Command, signal: NodeJS.Signals): Command;
  /** Called once the server runs; what it returns is called when the server has ended. */
  watch(pid: number, signal: NodeJS.Signals): () => void;
}

/** Nothing is sent when the parent died before the signal was asked for. */
const unlessOrphan = '[ "$PPID" = "$0" ] && exec "$@"';

/** Linux: the kernel itself sends the signal when the parent dies (prctl(2), PR_SET_PDEATHSIG). */
const byKernel: ParentDeathSignal = {
  wrap: ({ file, args }, signal) => ({
    file: 'setpriv',
    args: [
      '--pdeathsig',
      signal.replace('SIG', ''),
      '--',
      '/bin/sh',
      '-c',
      unlessOrphan,
      String(process.pid),
      file,
      ...args,
    ],
  }),
  watch: () => () => {},
};

/** Waits on a pipe that ends only with the application, then ends the server if it is still the same process. */
const script = `started=$(ps -o lstart= -p "$1"); read -r _
[ -n "$started" ] && [ "$(ps -o lstart= -p "$1")" = "$started" ] && kill -s "$2" "$1"`;

/** Elsewhere: a shell in its own session, so that Ctrl-C does not reach it. */
export const byWatchdog: ParentDeathSignal = {
  wrap: (command) => command,
  watch(pid, signal) {
    const args = ['-c', script, 'jig-database-watchdog', String(pid), signal.replace('SIG', '')];
    const watchdog = spawn('/bin/sh', args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    // Without a watchdog, the next start finds and ends the server.
    watchdog.on('error', () => {}).unref();
    (watchdog.stdin as unknown as { unref?(): void }).unref?.();
    return () => void watchdog.kill('SIGKILL');
  },
};

let detected: Promise<ParentDeathSignal> | undefined;

/** Asked once, since the answer cannot change while we run. */
export function detectParentDeathSignal(): Promise<ParentDeathSignal> {
  detected ??= detect();
  return detected;
}

/** BusyBox has a setpriv that lacks the option, so we run it to find out. */
async function detect(): Promise<ParentDeathSignal> {
  if (process.platform !== 'linux') return byWatchdog;
  return promisify(execFile)('setpriv', ['--pdeathsig', 'TERM', '--', 'true']).then(
    () => byKernel,
    () => byWatchdog,
  );
}
