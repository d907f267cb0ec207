import { type Live, outOf, view } from './view-table.ts';

const breakerStates = ['closed', 'open', 'half open', 'isolated'];
const isActive = ({ isActive: active, running }: Live): boolean => active ?? running;

/** Schedulers, and libraries that limit concurrency. */
export const jobsAndLimits = [
  view('node-cron.ScheduledTask', {
    has: 'cronExpression timeMatcher',
    can: 'getStatus getNextRun',
    reads: { state: (live) => live.getStatus(), next: (live) => live.getNextRun() },
    settings: { pattern: 'cronExpression', name: 'name' },
  }),
  view('croner.Cron', {
    can: 'getPattern nextRun previousRun isBusy',
    has: '_states',
    reads: {
      state: (live) => (live.isBusy() ? 'busy' : live.isRunning() ? 'scheduled' : 'stopped'),
      next: (live) => live.nextRun(),
      previous: (live) => live.previousRun(),
    },
    settings: { pattern: (live) => live.getPattern(), name: 'name' },
  }),
  view('cron.CronJob', {
    has: 'cronTime _callbacks',
    can: 'nextDate fireOnTick',
    reads: {
      state: (live) => (live.isCallbackRunning ? 'running' : isActive(live) ? 'scheduled' : 'stopped'),
      next: (live) => (isActive(live) ? live.nextDate().toJSDate() : undefined),
      previous: 'lastExecution',
    },
    settings: { pattern: ({ cronTime }) => String(cronTime.source), name: 'name', timeZone: 'cronTime.timeZone' },
  }),
  view('node-schedule.Job', {
    has: 'pendingInvocations job',
    can: 'nextInvocation triggeredJobs reschedule',
    reads: {
      state: ({ running, pendingInvocations }) =>
        running > 0 ? 'running' : pendingInvocations.length > 0 ? 'scheduled' : 'not scheduled',
      next: ({ pendingInvocations: [first] }) => first?.fireDate?.toDate?.() ?? first?.fireDate,
      runs: (live) => live.triggeredJobs(),
    },
    settings: { name: 'name' },
  }),
  view('opossum.CircuitBreaker', {
    has: 'semaphore options',
    can: 'fire fallback healthCheck',
    reads: {
      state: ({ isShutdown, opened, halfOpen }) =>
        isShutdown ? 'shut down' : halfOpen ? 'half open' : opened ? 'open' : 'closed',
      fires: 'stats.fires',
      failures: 'stats.failures',
      rejects: 'stats.rejects',
      timeouts: 'stats.timeouts',
    },
    settings: { name: 'name', timeout: 'options.timeout ms', resetTimeout: 'options.resetTimeout ms' },
  }),
  view('cockatiel.CircuitBreakerPolicy', {
    has: 'innerState breakEmitter',
    can: 'isolate execute',
    reads: {
      state: ({ innerState }) => breakerStates[innerState.value],
      lastFailure: ({ innerLastFailure: last }) => (last?.error ?? last?.value)?.message,
    },
  }),
  view('cockatiel.BulkheadPolicy', {
    has: 'capacity queueCapacity active queue',
    can: 'execute',
    reads: { running: outOf('active', 'capacity'), waiting: outOf('queue.length', 'queueCapacity') },
  }),
  view('fastq.Queue', {
    can: 'getQueue running pause killAndDrain',
    has: 'concurrency paused',
    reads: {
      running: outOf((live: Live) => live.running(), 'concurrency'),
      waiting: (live) => live.length(),
      paused: 'paused',
    },
    content: (live) => ({
      running: live.running(),
      waiting: live.getQueue(),
      paused: live.paused,
      concurrency: live.concurrency,
    }),
  }),
  view('async.Queue', {
    can: 'workersList running length',
    has: '_tasks concurrency payload',
    reads: {
      running: outOf((live: Live) => live.running(), 'concurrency'),
      waiting: (live) => live.length(),
      paused: 'paused',
    },
  }),
  view('p-limit.Limit', {
    isFunction: true,
    can: 'clearQueue',
    has: 'activeCount pendingCount',
    reads: { running: outOf('activeCount', 'concurrency'), waiting: 'pendingCount' },
  }),
  view('p-queue.PQueue', {
    has: 'size pending isPaused concurrency',
    can: 'add onIdle',
    reads: { running: outOf('pending', 'concurrency'), waiting: 'size', paused: 'isPaused' },
  }),
  view('bottleneck.Bottleneck', {
    can: 'counts schedule wrap',
    has: '_store _queues',
    reads: {
      running: outOf(
        (live: Live) => (live.counts().RUNNING ?? 0) + (live.counts().EXECUTING ?? 0),
        '_store.storeOptions.maxConcurrent',
      ),
      queued: (live) => live.counts().QUEUED,
      received: (live) => live.counts().RECEIVED,
    },
    settings: { minTime: '_store.storeOptions.minTime ms' },
  }),
];
