// Serves a bean of which as many values are recorded as the first argument says, after a time that is over in a moment:
// as many seconds as the second says. Prints the memory of the values in MiB when there is no second.
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { beanInspection } from '@jig/bean-inspection';

const [count, seconds] = process.argv.slice(2).map(Number);
const numbers = Object.fromEntries(Array.from({ length: count }, (_, index) => [`number${index}`, index]));
const watch = Object.keys(numbers).map((name) => ({ bean: 'shop', at: `/numbers/${name}` }));
const mount = (watched = watch) => beanInspection({ shop: { numbers } }, { onReady() {}, watch: watched });

if (seconds === undefined) {
  const used = () => {
    gc();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  // What records is loaded when it is first needed.
  globalThis.kept = [mount(watch.slice(0, 1))];
  await pause(500);
  const before = used();
  globalThis.kept.push(mount());
  await pause(500);
  console.log((used() - before) / 2 ** 20);
  process.exit();
}

const { now: realNow } = Date;
const realTimeout = globalThis.setTimeout;
let left = seconds;
Date.now = () => realNow() - left * 1000;
globalThis.setTimeout = (call, delay) => {
  if (left === 0) return realTimeout(call, delay);
  left--;
  for (const name of Object.keys(numbers)) numbers[name] = Math.sin(left / 10) * 100;
  return setImmediate(() => call());
};
const inspect = mount();
while (left > 0) await new Promise(setImmediate);
Date.now = realNow;
globalThis.setTimeout = realTimeout;

const server = createServer((request, response) => void inspect(request, response));
server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
