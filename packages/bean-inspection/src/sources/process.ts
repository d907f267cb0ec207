import type { IntervalHistogram, PerformanceObserver } from 'node:perf_hooks';
import type { View } from '@jig/inspect';
import { maskMark } from '@jig/inspect/internal';
import type { BeanDescription, BeanSource, BeanValue } from './bean-source.ts';

/**
 * How often the event loop is sampled, in milliseconds; Node includes this in every delay. Each sample wakes an idle
 * process, so 20 ms would cost more than all other recording. Blocking for longer than this is noticed.
 */
const samplingMs = 100;

/** More frequent reads get the same values; a bit less than a second, since a timer may be early. */
const shortestWindowMs = 950;

/** Loaded at the first use, not at import. */
const perfHooks = () => process.getBuiltinModule('node:perf_hooks');

/** Takes a tenth of the time of `memoryUsage`, since it asks V8 alone. */
const heap = () => process.getBuiltinModule('node:v8').getHeapStatistics();

const rounded = (value: number) => Math.round(value * 100) / 100;

/** What the process had used at a time, all in milliseconds. */
interface Usage {
  readonly at: number;
  readonly cpu: number;
  readonly active: number;
  readonly idle: number;
  readonly collections: number;
}

/** What was measured in a window: shares of its time in percent, and how late timers were, in milliseconds. */
interface Measured {
  readonly cpu: number;
  readonly eventLoop: number;
  readonly collections?: number;
  readonly delay?: { readonly percentile50: number; readonly percentile99: number; readonly maximum: number };
}

/**
 * The bean `process`. Nothing is measured before `measure` is called; then a window ends at each read, so that there is
 * no timer in JavaScript.
 */
export class ProcessBean {
  readonly #now: () => number;
  #delay: IntervalHistogram | undefined;
  #collections: PerformanceObserver | undefined;
  #collectionMs = 0;
  /** At the start of the window; undefined while nothing is measured. */
  #start: Usage | undefined;
  #measured: Measured | undefined;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Starts measuring. Does not keep the process alive. */
  measure(): void {
    if (this.#start !== undefined) return;
    const { PerformanceObserver, monitorEventLoopDelay } = perfHooks();
    try {
      this.#delay = monitorEventLoopDelay({ resolution: samplingMs });
      this.#delay.enable();
      this.#collections = new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) this.#collectionMs += duration;
      });
      this.#collections.observe({ entryTypes: ['gc'] });
    } catch {
      // Not all runtimes have these.
    }
    this.#start = this.#usage();
  }

  /** Stops measuring until `measure` is called again. */
  stop(): void {
    this.#delay?.disable();
    this.#collections?.disconnect();
    this.#start = undefined;
  }

  /** The last window, which ends here when it is long enough; before the first one, the whole life of the process. */
  measured(): Measured {
    const now = this.#usage();
    const atStart = { at: now.at - 1000 * process.uptime(), cpu: 0, active: 0, idle: 0, collections: 0 };
    const start = this.#start ?? atStart;
    if (start === atStart || now.at - start.at < shortestWindowMs) return this.#measured ?? shares(atStart, now);
    this.#start = now;
    const collections = share(now.collections - start.collections, now.at - start.at);
    this.#measured = { ...shares(start, now), collections, ...this.#takeDelay() };
    return this.#measured;
  }

  /** Since measuring began. */
  collectionSeconds(): number | undefined {
    return this.#start && this.#collectionMs / 1000;
  }

  toJSON() {
    const { cpu, eventLoop, collections, delay } = this.measured();
    const seconds = this.collectionSeconds();
    return {
      pid: process.pid,
      platform: `${process.platform} ${process.arch}`,
      versions: process.versions,
      uptimeSeconds: Math.round(process.uptime()),
      memory: process.memoryUsage(),
      heapLimit: heap().heap_size_limit,
      cpu: { percent: cpu, ...process.cpuUsage() },
      eventLoopDelay: delay,
      eventLoopUtilization: { percent: eventLoop },
      garbageCollection: seconds === undefined ? undefined : { percent: collections, seconds },
      handles: countHandles(),
      arguments: [...process.execArgv, ...process.argv.slice(1)],
      environment: maskedEnvironment(),
    };
  }

  #usage(): Usage {
    // Missing in some runtimes.
    const { active, idle } = perfHooks().performance.eventLoopUtilization?.() ?? { active: 0, idle: 0 };
    return { at: this.#now(), cpu: cpuMs(), active, idle, collections: this.#collectionMs };
  }

  #takeDelay(): Pick<Measured, 'delay'> {
    const histogram = this.#delay;
    if (histogram === undefined || histogram.count === 0) return {};
    const late = (nanoseconds: number) => Math.max(0, rounded(nanoseconds / 1e6 - samplingMs));
    const [percentile50, percentile99] = [late(histogram.percentile(50)), late(histogram.percentile(99))];
    const delay = { percentile50, percentile99, maximum: late(histogram.max) };
    histogram.reset();
    return { delay };
  }
}

/** CPU time of this process; on a busy machine, wall-clock time would include waiting for others. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const share = (part: number, whole: number) => (whole > 0 ? rounded((100 * part) / whole) : 0);

function shares(from: Usage, to: Usage): Measured {
  const active = to.active - from.active;
  const idle = to.idle - from.idle;
  return { cpu: share(to.cpu - from.cpu, to.at - from.at), eventLoop: share(active, active + idle) };
}

/** What keeps the process running, by kind. */
function countHandles(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo?.() ?? []) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Variables that say how Node runs; any other may hold a secret. */
const shownVariables =
  /^(?:NODE_ENV|NODE_OPTIONS|NODE_VERSION|HOST|PORT|TZ|LANG|LC_[A-Z]+|UV_THREADPOOL_SIZE|npm_(?:package_(?:name|version)|lifecycle_event))$/;

/** The names of all variables, and the values of those that say how Node runs. */
const maskedEnvironment = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(process.env).map(([name, value]) => [name, shownVariables.test(name) ? (value ?? '') : maskMark]),
  );

const bean = new ProcessBean();

/** The same for all mounts of a thread, since there is one process. */
export const processBean = () => bean;

/** The first six are recorded by default. */
export const processView: View<ProcessBean> = {
  name: 'process',
  matches: (value): value is ProcessBean => value instanceof ProcessBean,
  readings: {
    cpu: {
      read: (bean) => bean.measured().cpu,
      unit: '%',
      metric: 'process.cpu.utilization',
      description: 'Of one core; several threads can use more than one.',
    },
    residentMemory: { read: () => process.memoryUsage().rss, unit: 'bytes', metric: 'process.memory.usage' },
    heapUsed: { read: () => heap().used_heap_size, unit: 'bytes', metric: 'v8js.memory.heap.used' },
    eventLoopDelayP99: {
      read: (bean) => bean.measured().delay?.percentile99,
      unit: 'ms',
      metric: 'nodejs.eventloop.delay.p99',
      description: 'Of a hundred timers, 99 fired no later than this.',
    },
    eventLoopUtilization: {
      read: (bean) => bean.measured().eventLoop,
      unit: '%',
      metric: 'nodejs.eventloop.utilization',
      description: 'The share of time in which code ran.',
    },
    garbageCollection: {
      read: (bean) => bean.measured().collections,
      unit: '%',
      description: 'The share of time that it took.',
    },
    eventLoopDelayP50: {
      read: (bean) => bean.measured().delay?.percentile50,
      unit: 'ms',
      metric: 'nodejs.eventloop.delay.p50',
      description: 'Half of the timers fired no later than this.',
    },
    handles: {
      read: () => process.getActiveResourcesInfo?.().length ?? 0,
      description: 'What keeps the process running: servers, sockets, timers.',
    },
    cpuTime: { read: () => cpuMs() / 1000, unit: 's', metric: 'process.cpu.time' },
    garbageCollectionTime: {
      read: (bean) => bean.collectionSeconds(),
      unit: 's',
      metric: 'v8js.gc.duration',
      description: 'Since it is measured.',
    },
    upTime: { read: () => process.uptime(), unit: 's', metric: 'process.uptime' },
    heapLimit: {
      read: () => heap().heap_size_limit,
      unit: 'bytes',
      isSetting: true,
      metric: 'v8js.memory.heap.limit',
    },
    pid: { read: () => String(process.pid), isSetting: true },
    node: { read: () => process.versions.node, isSetting: true },
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
