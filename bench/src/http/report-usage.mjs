// Loaded into a server before its own code: reports what the process has used when the bench asks.
// Plain JavaScript, so that no compiler is loaded into the measured process.
import { readFileSync } from 'node:fs';

process.on('message', () => {
  const cpu = process.cpuUsage();
  process.send({ cpu, mainThread: mainThread() ?? cpu.user + cpu.system, memory: process.memoryUsage() });
});

/** In µs; only Linux separates it from the threads that compile and collect garbage. */
function mainThread() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1000;
  } catch {
    return undefined;
  }
}
process.channel?.unref();
// Nobody else would stop it when the bench is interrupted while the server starts.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
