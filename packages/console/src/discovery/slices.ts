import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long to work before other work of the event loop runs, in milliseconds. */
const sliceMs = 8;

/** Of this thread where Node tells, otherwise of the process. */
function cpuMs(): number {
  const { cpuUsage, threadCpuUsage = cpuUsage } = process as typeof process & {
    threadCpuUsage?: () => NodeJS.CpuUsage;
  };
  const { user, system } = threadCpuUsage.call(process);
  return (user + system) / 1000;
}

/** Work that leaves the event loop free again and again. */
export class Slices {
  #begun = performance.now();
  #cpuAtBegin = cpuMs();
  /** The longest time that nobody else had a turn. */
  longest = 0;
  /** The CPU time of all slices that are over, in milliseconds: however busy the machine is, the work is the same. */
  spent = 0;

  /** Waits for the next turn when this one has taken long enough. */
  async pause(): Promise<void> {
    const worked = performance.now() - this.#begun;
    if (worked < sliceMs) return;
    this.longest = Math.max(this.longest, worked);
    this.spent += cpuMs() - this.#cpuAtBegin;
    await nextTurn();
    this.#begun = performance.now();
    this.#cpuAtBegin = cpuMs();
  }
}
