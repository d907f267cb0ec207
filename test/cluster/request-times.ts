import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server } from 'node:http';

const tick = 20;
/**
 * A timer that is late is not made up for, so that these stand still while the machine has no time for the process: what is counted is
 * what the code itself waits for.
 */
let ticks = 0;
const began = new WeakMap<IncomingMessage, number>();
const slowest = new WeakMap<Server, number>();

interface Exchange {
  readonly request: IncomingMessage;
  readonly server: Server;
}

setInterval(() => {
  ticks++;
}, tick).unref();

subscribe('http.server.request.start', (message) => began.set((message as Exchange).request, ticks));
subscribe('http.server.response.finish', (message) => {
  const { request, server } = message as Exchange;
  const time = (ticks - (began.get(request) ?? ticks)) * tick;
  slowest.set(server, Math.max(slowest.get(server) ?? 0, time));
});

/** How long the slowest request to a server in this process took so far, in milliseconds, by the event loop. */
export const slowestRequest = (server: Server) => slowest.get(server);
