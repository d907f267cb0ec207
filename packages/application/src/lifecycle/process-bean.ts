import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

const inMilliseconds = (nanoseconds: number) =>
  Number.isFinite(nanoseconds) ? Math.round(nanoseconds / 1e4) / 100 : 0;

/** What the bean `process` shows of the process it lives in; never its environment or arguments, which may hold secrets. */
export class ProcessBean {
  readonly #delay: IntervalHistogram = monitorEventLoopDelay({ resolution: 20 });

  start(): void {
    this.#delay.enable();
  }

  stop(): void {
    this.#delay.disable();
  }

  get pid(): number {
    return process.pid;
  }

  get platform(): string {
    return `${process.platform} ${process.arch}`;
  }

  get versions(): NodeJS.ProcessVersions {
    return process.versions;
  }

  get uptimeSeconds(): number {
    return Math.round(process.uptime());
  }

  get memory(): NodeJS.MemoryUsage {
    return process.memoryUsage();
  }

  get cpu(): NodeJS.CpuUsage {
    return process.cpuUsage();
  }

  /** How late timers came, in milliseconds. */
  get eventLoopDelay(): { mean: number; percentile99: number; maximum: number } {
    return {
      mean: inMilliseconds(this.#delay.mean),
      percentile99: inMilliseconds(this.#delay.percentile(99)),
      maximum: inMilliseconds(this.#delay.max),
    };
  }
}
