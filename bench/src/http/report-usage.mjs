// Loaded into a server before its own code: tells the bench, when asked, what the process has used. Plain JavaScript, to cost nothing.
import { readFileSync } from 'node:fs';

process.on('message', ({ ask, collectGarbage }) => {
  if (ask !== 'usage') return;
  if (collectGarbage) globalThis.gc();
  const cpu = process.cpuUsage();
  process.send({ cpu, mainThread: mainThread() ?? cpu.user + cpu.system, memory: process.memoryUsage() });
});

/** In µs; only Linux tells it apart from the threads that compile and collect garbage. */
function mainThread() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1000;
  } catch {
    return undefined;
  }
}
process.channel?.unref();
