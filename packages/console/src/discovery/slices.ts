import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long to work before other work of the event loop runs, in milliseconds. */
const sliceMs = 8;

type CpuUsage = () => NodeJS.CpuUsage;

/** Of this thread if Node reports it, otherwise of the process. */
function cpuMs(): number {
  const ofThread = (process as { readonly threadCpuUsage?: CpuUsage }).threadCpuUsage;
  const { user, system } = ofThread?.call(process) ?? process.cpuUsage();
  return (user + system) / 1000;
}

/** Splits long work into time slices, between which the event loop runs. */
export class Slices {
  #begun = performance.now();
  #cpuAtBegin = cpuMs();
  /** The CPU time of all finished slices in milliseconds, which does not depend on how busy the machine is. */
  spent = 0;

  /** Waits for the next turn when this one has taken long enough. */
  async pause(): Promise<void> {
    if (performance.now() - this.#begun < sliceMs) return;
    this.spent += cpuMs() - this.#cpuAtBegin;
    await nextTurn();
    this.#begun = performance.now();
    this.#cpuAtBegin = cpuMs();
  }
}
