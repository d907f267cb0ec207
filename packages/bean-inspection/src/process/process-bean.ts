import type { EventLoopUtilization, IntervalHistogram, PerformanceObserver as Observer } from 'node:perf_hooks';
import { maskMark } from '@jig/inspect/internal';

/**
 * How often the event loop is sampled, in milliseconds; Node includes this in every delay. Each sample wakes an idle
 * process, so that 20 ms would cost more than all that is recorded; what blocks it for longer than this is seen.
 */
const interval = 100;

/** A delay in nanoseconds as Node reports it, in milliseconds without the interval. */
const inMilliseconds = (nanoseconds: number) => Math.max(0, Math.round(nanoseconds / 1e4 - interval * 100) / 100);

/** Looked up when it is needed, so that it is not loaded where nobody looks. */
const perfHooks = () => process.getBuiltinModule('node:perf_hooks');

/** Asks no more than V8, which takes a tenth of the time of `memoryUsage`. */
export const heap = () => process.getBuiltinModule('node:v8').getHeapStatistics();

const rounded = (value: number) => Math.round(value * 100) / 100;

/** Not all runtimes tell. */
const loopUtilization = (): EventLoopUtilization =>
  perfHooks().performance.eventLoopUtilization?.() ?? { idle: 0, active: 0, utilization: 0 };

/** Those that look more often see the same; a bit less than a second, since a timer may be early. */
const shortestWindowMs = 950;

/** What was so at the beginning of a window. */
interface Mark {
  readonly at: number;
  readonly cpuMs: number;
  readonly loop: EventLoopUtilization;
  readonly collectionMs: number;
}

/** What was measured in a window. */
interface Measured {
  /** In percent of a core, so that it may be more than 100. */
  readonly cpuPercent: number;
  readonly eventLoopPercent: number;
  readonly collectionPercent?: number;
  /** How late timers were, in milliseconds. */
  readonly delay?: {
    readonly percentile50: number;
    readonly percentile99: number;
    readonly maximum: number;
  };
}

/** Says how Node runs; others may hold a secret under any name. */
const shownVariables =
  /^(?:NODE_ENV|NODE_OPTIONS|NODE_VERSION|HOST|PORT|TZ|LANG|LC_[A-Z]+|UV_THREADPOOL_SIZE|npm_(?:package_(?:name|version)|lifecycle_event))$/;

/**
 * The bean `process`. Nothing is measured before `measure` is called; then windows end whenever somebody looks, so that
 * there is no timer in JavaScript.
 */
export class ProcessBean {
  readonly #now: () => number;
  #delay: IntervalHistogram | undefined;
  #collections: Observer | undefined;
  #collectionMs = 0;
  #mark: Mark | undefined;
  /** Before the first window has ended, the whole life of the process. */
  #measured: Measured | undefined;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A method, so that documents do not show it. */
  isMeasuring(): boolean {
    return this.#mark !== undefined;
  }

  /** From now on. What it starts keeps no process alive. */
  measure(): void {
    if (this.isMeasuring()) return;
    const { PerformanceObserver, monitorEventLoopDelay } = perfHooks();
    try {
      this.#delay = monitorEventLoopDelay({ resolution: interval });
      this.#delay.enable();
      this.#collections = new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) this.#collectionMs += duration;
      });
      this.#collections.observe({ entryTypes: ['gc'] });
    } catch {
      // Not all runtimes have these.
    }
    this.#mark = this.#newMark();
  }

  /** Until `measure` is called again. */
  stop(): void {
    this.#delay?.disable();
    this.#collections?.disconnect();
    this.#mark = undefined;
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

  get heapLimit(): number {
    return heap().heap_size_limit;
  }

  /** In the last window in percent of a core, and since the start in microseconds. */
  get cpu(): NodeJS.CpuUsage & { readonly percent: number } {
    return { percent: this.#window().cpuPercent, ...process.cpuUsage() };
  }

  /** How late timers fired, in milliseconds. */
  get eventLoopDelay(): Measured['delay'] {
    return this.#window().delay;
  }

  get eventLoopUtilization(): { readonly percent: number } {
    return { percent: this.#window().eventLoopPercent };
  }

  /** In the last window in percent of the time, and since measuring began in seconds. */
  get garbageCollection(): { readonly percent: number | undefined; readonly seconds: number } | undefined {
    if (!this.isMeasuring()) return undefined;
    return { percent: this.#window().collectionPercent, seconds: this.#collectionMs / 1000 };
  }

  /** What keeps the process running, by kind. */
  get handles(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const kind of process.getActiveResourcesInfo?.() ?? []) counts[kind] = (counts[kind] ?? 0) + 1;
    return counts;
  }

  get arguments(): readonly string[] {
    return [...process.execArgv, ...process.argv.slice(1)];
  }

  /** The names of all variables, and the values of those that say how Node runs. */
  get environment(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      Object.entries(process.env).map(([name, value]) => [name, shownVariables.test(name) ? (value ?? '') : maskMark]),
    );
  }

  #newMark(): Mark {
    const { user, system } = process.cpuUsage();
    return {
      at: this.#now(),
      cpuMs: (user + system) / 1000,
      loop: loopUtilization(),
      collectionMs: this.#collectionMs,
    };
  }

  #window(): Measured {
    const before = this.#mark;
    if (before !== undefined && this.#now() - before.at >= shortestWindowMs) this.#measured = this.#end(before);
    return this.#measured ?? this.#wholeLife();
  }

  #wholeLife(): Measured {
    const { cpuMs, loop } = this.#newMark();
    return { cpuPercent: rounded(cpuMs / (10 * process.uptime())), eventLoopPercent: rounded(100 * loop.utilization) };
  }

  /** Ends a window and begins the next one. */
  #end(before: Mark): Measured {
    const mark = this.#newMark();
    this.#mark = mark;
    const share = (milliseconds: number) => rounded((100 * milliseconds) / (mark.at - before.at));
    const active = mark.loop.active - before.loop.active;
    const idle = mark.loop.idle - before.loop.idle;
    const measured = {
      cpuPercent: share(mark.cpuMs - before.cpuMs),
      eventLoopPercent: active > 0 ? rounded((100 * active) / (active + idle)) : 0,
      collectionPercent: share(mark.collectionMs - before.collectionMs),
    };
    const histogram = this.#delay;
    if (histogram === undefined || histogram.count === 0) return measured;
    const delay = {
      percentile50: inMilliseconds(histogram.percentile(50)),
      percentile99: inMilliseconds(histogram.percentile(99)),
      maximum: inMilliseconds(histogram.max),
    };
    histogram.reset();
    return { ...measured, delay };
  }
}

let bean: ProcessBean | undefined;

/** The same for all mounts of a thread, since there is one process. */
export function processBean(): ProcessBean {
  bean ??= new ProcessBean();
  return bean;
}
