import type { EventLoopUtilization, IntervalHistogram, PerformanceObserver as Observer } from 'node:perf_hooks';
import type { View } from '@jig/inspect';
import { maskMark } from '@jig/inspect/internal';
import type { BeanDescription, BeanSource, BeanValue } from './sources/bean-source.ts';

/**
 * How often the event loop is sampled, in milliseconds; Node includes this in every delay. Each sample wakes an idle
 * process, so that 20 ms would cost more than all that is recorded; what blocks it for longer than this is seen.
 */
const interval = 100;

/** A delay in nanoseconds as Node reports it, in milliseconds without the interval. */
const inMilliseconds = (nanoseconds: number) => Math.max(0, rounded(nanoseconds / 1e6 - interval));

/** Loaded at the first use, not at import. */
const perfHooks = () => process.getBuiltinModule('node:perf_hooks');

/** Asks no more than V8, which takes a tenth of the time of `memoryUsage`. */
const heap = () => process.getBuiltinModule('node:v8').getHeapStatistics();

const rounded = (value: number) => Math.round(value * 100) / 100;

/** Not all runtimes tell. */
const loopUtilization = (): EventLoopUtilization =>
  perfHooks().performance.eventLoopUtilization?.() ?? { idle: 0, active: 0, utilization: 0 };

/** More frequent reads get the same values; a bit less than a second, since a timer may be early. */
const shortestWindowMs = 950;

/** What was so at the beginning or the end of a window. */
interface Mark {
  readonly at: number;
  readonly cpuMs: number;
  readonly loop: Pick<EventLoopUtilization, 'active' | 'idle'>;
  readonly collectionMs: number;
}

/** What was measured in a window: shares of its time in percent, and how late timers were, in milliseconds. */
interface Measured {
  readonly cpu: number;
  readonly eventLoop: number;
  readonly collections?: number;
  readonly delay?: { readonly percentile50: number; readonly percentile99: number; readonly maximum: number };
}

const share = (part: number, whole: number) => (whole > 0 ? rounded((100 * part) / whole) : 0);

function measured(from: Mark, to: Mark): Measured {
  const active = to.loop.active - from.loop.active;
  const idle = to.loop.idle - from.loop.idle;
  return { cpu: share(to.cpuMs - from.cpuMs, to.at - from.at), eventLoop: share(active, active + idle) };
}

/** Says how Node runs; others may hold a secret under any name. */
const shownVariables =
  /^(?:NODE_ENV|NODE_OPTIONS|NODE_VERSION|HOST|PORT|TZ|LANG|LC_[A-Z]+|UV_THREADPOOL_SIZE|npm_(?:package_(?:name|version)|lifecycle_event))$/;

/**
 * The bean `process`. Nothing is measured before `measure` is called; then an interval ends at each read, so that
 * there is no timer in JavaScript.
 */
export class ProcessBean {
  readonly #now: () => number;
  #delay: IntervalHistogram | undefined;
  #collections: Observer | undefined;
  #collectionMs = 0;
  #mark: Mark | undefined;
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

  toJSON() {
    const { pid, platform, versions, uptimeSeconds, memory, heapLimit, cpu, eventLoopDelay } = this;
    const { eventLoopUtilization, garbageCollection, handles, arguments: given, environment } = this;
    const load = { eventLoopDelay, eventLoopUtilization, garbageCollection, handles };
    return { pid, platform, versions, uptimeSeconds, memory, heapLimit, cpu, ...load, arguments: given, environment };
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
    return { percent: this.#window().cpu, ...process.cpuUsage() };
  }

  /** How late timers fired, in milliseconds. */
  get eventLoopDelay(): Measured['delay'] {
    return this.#window().delay;
  }

  get eventLoopUtilization(): { readonly percent: number } {
    return { percent: this.#window().eventLoop };
  }

  /** In the last window in percent of the time, and since measuring began in seconds. */
  get garbageCollection(): { readonly percent: number | undefined; readonly seconds: number } | undefined {
    if (!this.isMeasuring()) return undefined;
    return { percent: this.#window().collections, seconds: this.#collectionMs / 1000 };
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
    const loop = loopUtilization();
    return { at: this.#now(), cpuMs: (user + system) / 1000, loop, collectionMs: this.#collectionMs };
  }

  /** The last window, which ends here when it is long enough; before the first one, the whole life of the process. */
  #window(): Measured {
    const from = this.#mark;
    const to = this.#newMark();
    if (from !== undefined && to.at - from.at >= shortestWindowMs) {
      this.#mark = to;
      const collections = share(to.collectionMs - from.collectionMs, to.at - from.at);
      this.#measured = { ...measured(from, to), collections, ...this.#takeDelay() };
    }
    const start = { at: to.at - 1000 * process.uptime(), cpuMs: 0, loop: { active: 0, idle: 0 }, collectionMs: 0 };
    return this.#measured ?? measured(start, to);
  }

  #takeDelay(): Pick<Measured, 'delay'> {
    const histogram = this.#delay;
    if (histogram === undefined || histogram.count === 0) return {};
    const percentile50 = inMilliseconds(histogram.percentile(50));
    const percentile99 = inMilliseconds(histogram.percentile(99));
    const maximum = inMilliseconds(histogram.max);
    histogram.reset();
    return { delay: { percentile50, percentile99, maximum } };
  }
}

let bean: ProcessBean | undefined;

/** The same for all mounts of a thread, since there is one process. */
export function processBean(): ProcessBean {
  bean ??= new ProcessBean();
  return bean;
}

/** The first six are recorded by default. */
export const processView: View<ProcessBean> = {
  name: 'process',
  matches: (value): value is ProcessBean => value instanceof ProcessBean,
  readings: {
    cpu: {
      read: ({ cpu }) => cpu.percent,
      unit: '%',
      metric: 'process.cpu.utilization',
      description: 'Of one core; several threads can use more than one.',
    },
    residentMemory: { read: ({ memory }) => memory.rss, unit: 'bytes', metric: 'process.memory.usage' },
    heapUsed: { read: () => heap().used_heap_size, unit: 'bytes', metric: 'v8js.memory.heap.used' },
    eventLoopDelayP99: {
      read: ({ eventLoopDelay }) => eventLoopDelay?.percentile99,
      unit: 'ms',
      metric: 'nodejs.eventloop.delay.p99',
      description: 'Of a hundred timers, 99 fired no later than this.',
    },
    eventLoopUtilization: {
      read: (bean) => bean.eventLoopUtilization.percent,
      unit: '%',
      metric: 'nodejs.eventloop.utilization',
      description: 'The share of time in which code ran.',
    },
    garbageCollection: {
      read: (bean) => bean.garbageCollection?.percent,
      unit: '%',
      description: 'The share of time that it took.',
    },
    eventLoopDelayP50: {
      read: ({ eventLoopDelay }) => eventLoopDelay?.percentile50,
      unit: 'ms',
      metric: 'nodejs.eventloop.delay.p50',
      description: 'Half of the timers fired no later than this.',
    },
    handles: {
      read: ({ handles }) => Object.values(handles).reduce((sum, count) => sum + count, 0),
      description: 'What keeps the process running: servers, sockets, timers.',
    },
    cpuTime: { read: ({ cpu }) => (cpu.user + cpu.system) / 1e6, unit: 's', metric: 'process.cpu.time' },
    garbageCollectionTime: {
      read: (bean) => bean.garbageCollection?.seconds,
      unit: 's',
      metric: 'v8js.gc.duration',
      description: 'Since it is measured.',
    },
    upTime: { read: () => process.uptime(), unit: 's', metric: 'process.uptime' },
    heapLimit: {
      read: (bean) => bean.heapLimit,
      unit: 'bytes',
      isSetting: true,
      metric: 'v8js.memory.heap.limit',
    },
    pid: { read: ({ pid }) => String(pid), isSetting: true },
    node: { read: ({ versions }) => versions.node, isSetting: true },
  },
};

export const processName = 'process';

const description: BeanDescription = {
  name: processName,
  type: 'ProcessBean',
  scope: 'singleton',
  owner: '@jig/bean-inspection',
  dependencies: [],
  instantiated: true,
};

/** The beans of a source and the bean `process`, unless it has one of that name. */
export function withProcess<Context>(source: BeanSource<Context>): BeanSource<Context> {
  const isAdded = (name: string) => name === processName && !source.has(processName);
  const peekAll = (existing: ReadonlyMap<string, BeanValue>) =>
    isAdded(processName) ? new Map(existing).set(processName, { value: processBean() }) : existing;
  return {
    ...(source.create === undefined ? {} : { create: source.create }),
    ...(source.peekAll === undefined ? {} : { peekAll: () => peekAll(source.peekAll?.() ?? new Map()) }),
    describe: () => (isAdded(processName) ? [...source.describe(), description] : source.describe()),
    has: (name) => name === processName || source.has(name),
    peek: (name) => (isAdded(name) ? { value: processBean() } : source.peek(name)),
    get: (name, context) => (isAdded(name) ? Promise.resolve({ value: processBean() }) : source.get(name, context)),
  };
}
