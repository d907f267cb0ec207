import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';

const signals = new WeakMap<Socket, AbortSignal>();

/** Given as the reason, since one that is made each time has a stack, which takes as long as a tenth of a small document. */
const reason = 'the client has gone';

/**
 * Aborts when the client has gone. The connection tells it, for all of its requests: an answer that waits for the one
 * before it is never closed, and one whose client left while the bean was being made has closed already.
 */
export function whenGone(socket: Socket): AbortSignal {
  const known = signals.get(socket);
  if (known !== undefined) return known;
  const gone = new AbortController();
  // A client may send as many requests at once as it likes.
  setMaxListeners(0, gone.signal);
  signals.set(socket, gone.signal);
  if (socket.destroyed) gone.abort(reason);
  else socket.once('close', () => gone.abort(reason));
  return gone.signal;
}
