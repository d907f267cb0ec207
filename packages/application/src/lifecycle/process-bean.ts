import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

/** How often the event loop is looked at, in milliseconds; Node counts it into every delay. */
const interval = 20;

/** What a delay of Node's, in nanoseconds, is beyond the interval; there is none before the first look. */
const inMilliseconds = (nanoseconds: number) =>
  Number.isFinite(nanoseconds) ? Math.max(0, Math.round(nanoseconds / 1e4 - interval * 100) / 100) : 0;

/** What the bean `process` shows of the process it lives in; never its environment or arguments, which may hold secrets. */
export class ProcessBean {
  readonly #delay: IntervalHistogram = monitorEventLoopDelay({ resolution: interval });

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
