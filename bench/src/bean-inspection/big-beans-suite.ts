import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from '@jig/inspect';
import { releaseChunk } from '@jig/inspect/internal';
import { microseconds } from '../cpu-time.ts';
import { shareRounds } from '../shared-rounds.ts';
import type { Case, Suite } from '../suite.ts';

const entries = 2_000_000;

export const bigBeansSuite: Suite = {
  name: 'big-beans',
  about: 'What a bean of 2,000,000 entries, written as JSON, does to the event loop and to memory.',
  open({ quick }) {
    // A document takes seconds.
    const rounds = { rounds: quick ? 1 : 3, warmUps: 1 };
    return {
      cases: Object.entries(bigBeans).flatMap(([name, create]): Case[] => {
        const bean = once(create);
        const row = shareRounds(() => write(bean()));
        return [
          {
            name: `${name} of 2,000,000: longest turn`,
            unit: 'ms CPU',
            target: { atMost: 20 },
            ours: row(({ longestTurn }) => longestTurn),
            ...rounds,
          },
          {
            name: `${name} of 2,000,000: memory`,
            unit: 'MiB',
            target: { atMost: 64 },
            ours: row(({ memory }) => memory),
            ...rounds,
          },
        ];
      }),
    };
  },
};

/** One of each kind of collection. */
const bigBeans: Readonly<Record<string, () => object>> = {
  Map: () => new Map(devices().map((item, index) => [`uuid:${index}`, item])),
  Set: () => new Set(devices().map((item, index) => ({ index, item }))),
  array: devices,
};

function devices(): object[] {
  const shared = Array.from({ length: 1000 }, (_, number) => ({
    expiration: 1577185199000 + number,
    name: `device ${number}`,
    params: {},
    entity: null,
  }));
  return Array.from({ length: entries }, (_, index) => shared[index % shared.length] as object);
}

/** Created on first use: while it exists it slows down garbage collection. */
function once(create: () => object): () => object {
  let created: object | undefined;
  return () => {
    created ??= create();
    return created;
  };
}

interface Written {
  /** The longest time that the event loop was blocked, in ms of CPU time, so that other processes do not count. */
  readonly longestTurn: number;
  /** The most memory that was in use, in MiB, minus what was in use before. */
  readonly memory: number;
}

async function write(bean: object): Promise<Written> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  let isDone = false;
  let longestTurn = 0;
  const watching = (async () => {
    while (!isDone) {
      const start = process.cpuUsage();
      await nextTurn();
      longestTurn = Math.max(longestTurn, microseconds(process.cpuUsage(start)) / 1000);
    }
  })();
  await readAll(bean);
  isDone = true;
  await watching;
  clearInterval(watch);
  return { longestTurn, memory: (peak - before) / 2 ** 20 };
}

/** Releases each chunk at once, like a socket that accepts everything. */
async function readAll(bean: unknown): Promise<void> {
  for await (const chunk of inspect(bean)) releaseChunk(chunk);
}
