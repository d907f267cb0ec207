const wait = (milliseconds = 30_000) => new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
const fails = () => Promise.reject(new Error('refused'));

/** What runs at its time, and what holds back what would be too much. */
export const jobsAndLimits = {
  'node-cron task': {
    package: 'node-cron',
    line: /^idle, next \d{4}-01-01T/,
    async make() {
      const { default: cron } = await import('node-cron');
      return cron.schedule('0 0 1 1 *', () => {});
    },
    end: (task) => task.stop(),
  },
  'croner Cron': {
    package: 'croner',
    line: /^scheduled, next \d{4}-01-01T/,
    async make() {
      const { Cron } = await import('croner');
      return new Cron('0 0 1 1 *', () => {});
    },
    end: (job) => job.stop(),
  },
  'cron CronJob': {
    package: 'cron',
    line: /^scheduled, next \d{4}-01-01T/,
    async make() {
      const { CronJob } = await import('cron');
      return CronJob.from({ cronTime: '0 0 1 1 *', onTick: () => {}, start: true, timeZone: 'UTC' });
    },
    end: (job) => job.stop(),
  },
  'node-schedule Job': {
    package: 'node-schedule',
    line: /^scheduled, next \d{4}-\d\d-\d\dT.*, 0 runs$/,
    async make() {
      const { default: schedule } = await import('node-schedule');
      return schedule.scheduleJob('yearly', '0 0 1 1 *', () => {});
    },
    end: (job) => job.cancel(),
  },
  'opossum CircuitBreaker': {
    package: 'opossum',
    line: 'open, 1 fire, 1 failure, 0 rejects',
    async make() {
      const { default: CircuitBreaker } = await import('opossum');
      const breaker = new CircuitBreaker(fails, { errorThresholdPercentage: 1, name: 'payments' });
      await breaker.fire().catch(() => {});
      return breaker;
    },
    end: (breaker) => breaker.shutdown(),
  },
  'cockatiel circuit breaker': {
    package: 'cockatiel',
    line: 'open, last failure refused',
    async make() {
      const { circuitBreaker, ConsecutiveBreaker, handleAll } = await import('cockatiel');
      const policy = circuitBreaker(handleAll, { halfOpenAfter: 60_000, breaker: new ConsecutiveBreaker(1) });
      await policy.execute(fails).catch(() => {});
      return policy;
    },
  },
  'cockatiel bulkhead': {
    package: 'cockatiel',
    line: '1 of 2 running, 0 of 5 waiting',
    async make() {
      const { bulkhead } = await import('cockatiel');
      const policy = bulkhead(2, 5);
      void policy.execute(() => wait());
      return policy;
    },
  },
  'fastq queue': {
    package: 'fastq',
    line: '1 of 1 running, 2 waiting',
    document: { running: 1, waiting: ['b', 'c'], paused: false, concurrency: 1 },
    async make() {
      const { default: fastq } = await import('fastq');
      const queue = fastq.promise(() => wait(), 1);
      for (const task of ['a', 'b', 'c']) void queue.push(task);
      return queue;
    },
  },
  'async queue': {
    package: 'async',
    line: '1 of 1 running, 2 waiting',
    async make() {
      const { default: async } = await import('async');
      const queue = async.queue(() => wait(), 1);
      void queue.push(['a', 'b', 'c']);
      await wait(20);
      return queue;
    },
  },
  'p-limit limit': {
    package: 'p-limit',
    line: '1 of 1 running, 1 waiting',
    document: { running: 1, waiting: 1 },
    async make() {
      const { default: pLimit } = await import('p-limit');
      const limit = pLimit(1);
      for (let count = 0; count < 2; count++) void limit(() => wait());
      await wait(20);
      return limit;
    },
  },
};
