import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';

const signals = new WeakMap<Socket, AbortSignal>();

/** Given as the reason, since creating an error with its stack takes as long as a tenth of a small document. */
const reason = 'the client has left';

/**
 * Aborts when the client has left. The connection tells it, for all of its requests: a response that waits for the one before it is never closed,
 * and one whose client left while the bean was being created has been closed already.
 */
export function clientSignal(socket: Socket): AbortSignal {
  const known = signals.get(socket);
  if (known !== undefined) return known;
  const controller = new AbortController();
  // A client may send as many requests at once as it likes.
  setMaxListeners(0, controller.signal);
  signals.set(socket, controller.signal);
  if (socket.destroyed) controller.abort(reason);
  else socket.once('close', () => controller.abort(reason));
  return controller.signal;
}
