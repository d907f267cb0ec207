import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from '@jig/inspect';
import { releaseChunk } from '@jig/inspect/internal';
import { cpuTime, microseconds } from '../cpu-time.ts';
import type { BenchContext, Case, Contender, Suite } from '../suite.ts';
import { type BenchBean, benchBeans, masking } from './bench-beans.ts';

const bigBeanEntries = 2_000_000;

export const beanInspectionSuite: Suite = {
  name: 'bean-inspection',
  about:
    'A live bean as bytes, masking and all rules on, against `Buffer.from(JSON.stringify(equivalent plain data))`; and what a bean of 2,000,000 entries does to the event loop and to memory.',
  open(context) {
    const beans = benchBeans().flatMap((bean) => [beanCase(bean, 'json', context), beanCase(bean, 'xml', context)]);
    const big = Object.entries(bigBeans).flatMap(([name, bean]) => [
      bigBeanCase(`${name} of 2,000,000: longest turn`, 'ms CPU', 20, longestTurn(bean), { rounds: 3 }),
      // Warm from the row before it.
      bigBeanCase(`${name} of 2,000,000: memory`, 'MiB', 64, additionalMemory(bean), { rounds: 2, warmUps: 0 }),
    ]);
    return { cases: [...beans, ...big] };
  },
};

function beanCase(benchBean: BenchBean, format: 'json' | 'xml', context: BenchContext): Case {
  const { name, bean, plain } = benchBean;
  const [speed, aim] = benchBean[format];
  return {
    name: `${name}, ${format.toUpperCase()}`,
    unit: 'µs CPU',
    target: { speed, aim },
    ours: cpuTime(() => inspect(bean, { format, masking }).toBytes(), context),
    reference: cpuTime(() => Buffer.from(JSON.stringify(plain)), context),
  };
}

function bigBeanCase(
  name: string,
  unit: string,
  atMost: number,
  ours: Contender,
  turns: Pick<Case, 'rounds' | 'warmUps'>,
): Case {
  return { name, unit, target: { atMost }, ours, ...turns };
}

/** One of each kind of collection, created on first use: while they exist they slow down garbage collection. */
const bigBeans = {
  Map: once(() => new Map(devices().map((item, index) => [`uuid:${index}`, item]))),
  Set: once(() => new Set(devices().map((item, index) => ({ index, item })))),
  array: once(devices),
};

function devices(): object[] {
  const shared = Array.from({ length: 1000 }, (_, number) => ({
    expiration: 1577185199000 + number,
    name: `device ${number}`,
    params: {},
    entity: null,
  }));
  return Array.from({ length: bigBeanEntries }, (_, index) => shared[index % shared.length] as object);
}

function once(create: () => object): () => object {
  let created: object | undefined;
  return () => {
    created ??= create();
    return created;
  };
}

/** The longest time that the event loop is blocked while a document is written, in ms of CPU time, so that other processes do not count. */
function longestTurn(bean: () => object): Contender {
  return {
    async sample() {
      const document = bean();
      let isDone = false;
      let longest = 0;
      const watching = (async () => {
        while (!isDone) {
          const start = process.cpuUsage();
          await nextTurn();
          longest = Math.max(longest, microseconds(process.cpuUsage(start)) / 1000);
        }
      })();
      await readAll(document);
      isDone = true;
      await watching;
      return longest;
    },
  };
}

/** The most memory that is in use while a document is written, in MiB, minus what was in use before. */
function additionalMemory(bean: () => object): Contender {
  return {
    async sample() {
      const document = bean();
      const before = process.memoryUsage.rss();
      let peak = before;
      const watch = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage.rss());
      }, 5);
      await readAll(document);
      clearInterval(watch);
      return (peak - before) / 2 ** 20;
    },
  };
}

/** Releases each chunk at once, like a socket that accepts everything. */
async function readAll(bean: unknown): Promise<void> {
  for await (const chunk of inspect(bean)) releaseChunk(chunk);
}
