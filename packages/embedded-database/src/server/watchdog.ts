import { spawn } from 'node:child_process';

/** Waits on a pipe that closes only when the application ends. Retries `rm`, since processes of the server may still write files. */
const script = `read -r _; kill -s "$2" "$1"
[ -z "$3" ] || for _ in 1 2 3 4 5; do rm -rf "$3" && break; sleep 1; done`;

/**
 * Starts a shell that ends the server when the application dies, even by SIGKILL, and removes the folder `disposable`. It runs in its own
 * session, which Ctrl-C does not reach. Returns a function that cancels it.
 */
export function watch(pid: number, signal: NodeJS.Signals, disposable: string): () => void {
  const args = ['-c', script, 'jig-database-watchdog', String(pid), signal.replace('SIG', ''), disposable];
  const watchdog = spawn('/bin/sh', args, { detached: true, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] });
  // Without a watchdog, the next start finds and ends the server.
  watchdog.on('error', () => {}).unref();
  (watchdog.stdin as unknown as { unref?(): void }).unref?.();
  return () => void watchdog.kill('SIGKILL');
}
