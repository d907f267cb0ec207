import { spawn } from 'node:child_process';

/** Waits on a pipe that ends only with the application. */
const script = 'read -r _; kill -s "$2" "$1"';

/** Ends the server when the application dies, even by SIGKILL: a shell in its own session, which Ctrl-C does not reach. Returns a function that cancels it. */
export function watch(pid: number, signal: NodeJS.Signals): () => void {
  const args = ['-c', script, 'jig-database-watchdog', String(pid), signal.replace('SIG', '')];
  const watchdog = spawn('/bin/sh', args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  // Without a watchdog, the next start finds and ends the server.
  watchdog.on('error', () => {}).unref();
  (watchdog.stdin as unknown as { unref?(): void }).unref?.();
  return () => void watchdog.kill('SIGKILL');
}
