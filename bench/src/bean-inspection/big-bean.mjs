// Writes a bean of 2,000,000 entries as JSON, twice, and prints what the second time did to the event loop and to memory.
import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from '@jig/inspect';

const shared = Array.from({ length: 1000 }, (_, number) => ({
  expiration: 1577185199000 + number,
  name: `device ${number}`,
  params: {},
  entity: null,
}));
const devices = Array.from({ length: 2_000_000 }, (_, index) => shared[index % shared.length]);
/** One of each kind of collection. */
const beans = {
  Map: () => new Map(devices.map((item, index) => [`uuid:${index}`, item])),
  Set: () => new Set(devices.map((item, index) => ({ index, item }))),
  array: () => devices,
};
const bean = beans[process.argv[2]]();

/** Drops each chunk at once, like a socket that accepts everything. */
async function write() {
  for await (const chunk of inspect(bean)) void chunk;
}

/** The milliseconds of CPU of this thread, so that other processes do not count; where Linux tells it, without the threads in which V8 compiles and sweeps, which hold nobody up. */
function cpuTime() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ', 1)[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

await write();
// What making the bean has left must not be collected meanwhile.
globalThis.gc();
const before = process.memoryUsage.rss();
let peak = before;
let isDone = false;
let longestTurn = 0;
let start = cpuTime();
const writing = write().finally(() => {
  isDone = true;
});
while (!isDone) {
  await nextTurn();
  const end = cpuTime();
  longestTurn = Math.max(longestTurn, end - start);
  start = end;
  peak = Math.max(peak, process.memoryUsage.rss());
}
await writing;
console.log(JSON.stringify({ longestTurn, memory: (peak - before) / 2 ** 20 }));
