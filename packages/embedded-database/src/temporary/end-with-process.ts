import { signal } from '../server/process-identity.ts';

/** What must not outlive this process. */
export interface Ended {
  /** The process of the server. */
  pid(): number | null;
  removeSync(): void;
}

const running = new Set<Ended>();

/** Ends the server when this process exits without stopping it. Returns a function that cancels this. */
export function endWithProcess(ended: Ended): () => void {
  if (running.size === 0) process.on('exit', endAll);
  running.add(ended);
  return () => {
    running.delete(ended);
    if (running.size === 0) process.off('exit', endAll);
  };
}

/** Synchronous; what is not removed here is removed by the next start. */
function endAll(): void {
  for (const ended of running) {
    const pid = ended.pid();
    try {
      if (pid !== null) signal(pid, 'SIGKILL');
      ended.removeSync();
    } catch {
      // Must not hide the exit code.
    }
  }
}
