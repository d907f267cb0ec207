import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from '@jig/inspect';
import { releaseChunk } from '@jig/inspect/internal';
import { microseconds } from '../cpu-time.ts';
import type { Contender } from '../suite.ts';

const ENTRIES = 2_000_000;

/** Two million entries in each kind of container; made when they are first needed, since they slow down all else. */
export const bigBeans = {
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
  return Array.from({ length: ENTRIES }, (_, index) => shared[index % shared.length] as object);
}

function once(make: () => object): () => object {
  let made: object | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Reads the whole document, handing the chunks back at once, as a socket does that takes all. */
async function read(bean: unknown): Promise<void> {
  for await (const chunk of inspect(bean)) releaseChunk(chunk);
}

/** The longest time that the event loop had to wait while a document was written, in ms of CPU time: others on the machine do not count. */
export function longestTurn(bean: () => object): Contender {
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
      await read(document);
      isDone = true;
      await watching;
      return longest;
    },
  };
}

/** How much memory a document needs while it is written, in MiB above what there was before. */
export function memoryAbove(bean: () => object): Contender {
  return {
    async sample() {
      const document = bean();
      const idle = process.memoryUsage.rss();
      let peak = idle;
      const watch = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage.rss());
      }, 5);
      await read(document);
      clearInterval(watch);
      return (peak - idle) / 2 ** 20;
    },
  };
}
