// Loaded before an application: prints how long its slowest request took, by its own event loop.
import { subscribe } from 'node:diagnostics_channel';

const tick = 20;
/**
 * A timer that is late is not made up for, so that these stand still while the machine has no time for the process: what is counted is
 * what the code itself waits for.
 */
let ticks = 0;
let slowest = -1;
const began = new WeakMap();

setInterval(() => {
  ticks++;
}, tick).unref();

subscribe('http.server.request.start', ({ request }) => began.set(request, ticks));
subscribe('http.server.response.finish', ({ request }) => {
  const time = (ticks - began.get(request)) * tick;
  if (time <= slowest) return;
  slowest = time;
  process.stdout.write(`slowest request: ${time} ms\n`);
});
