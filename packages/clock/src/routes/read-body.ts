import { IncomingMessage } from 'node:http';
import { finished, type Readable } from 'node:stream';
import { Problem } from '@jig/application';

type BodyTaker = (error: Error | null, body?: Buffer) => void;

/**
 * Reads a body of so many bytes at most. A form comes in one piece with its head, so that all of it is there after this
 * turn of the loop: it is taken at once, which costs half of what listening for its pieces does. What a hook has begun to
 * read, or has replaced by a stream of its own, is listened to from now on, as it would be lost or fail meanwhile.
 */
export function readBody(payload: Readable, limit: number, done: BodyTaker): void {
  if (!isUntouched(payload)) collect(payload, limit, done);
  else
    setImmediate(() => {
      if (payload.complete && isUntouched(payload)) takeAtOnce(payload, limit, done);
      else collect(payload, limit, done);
    });
}

function isUntouched(payload: Readable): payload is IncomingMessage {
  return payload instanceof IncomingMessage && payload.readableFlowing === null && payload.readableEncoding === null;
}

function takeAtOnce(payload: IncomingMessage, limit: number, done: BodyTaker): void {
  if (payload.readableLength > limit) done(new Problem(413));
  else done(null, everythingIn(payload));
}

/** Node 20 gives all at once, Node 26 piece by piece. */
function everythingIn(payload: IncomingMessage): Buffer {
  const first = payload.read() as Buffer | null;
  if (first === null) return Buffer.alloc(0);
  const pieces = [first];
  for (let next = payload.read(); next !== null; next = payload.read()) pieces.push(next);
  return pieces.length === 1 ? first : Buffer.concat(pieces);
}

function collect(payload: Readable, limit: number, done: BodyTaker): void {
  const pieces: Buffer[] = [];
  let length = 0;
  const take = (piece: Buffer | string) => {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    length += bytes.length;
    if (length > limit) end(new Problem(413));
    else pieces.push(bytes);
  };
  const stopWaiting = finished(payload, { writable: false }, (error) => end(error ? failure(payload, error) : null));
  const end = (error: Error | null) => {
    stopWaiting();
    payload.off('data', take);
    if (error) done(error);
    else done(null, Buffer.concat(pieces));
  };
  payload.on('data', take);
  payload.resume();
}

/** A client that goes is no failure of ours; a stream that an application puts in between may have one. */
function failure(payload: Readable, error: Error): Error {
  if (!(payload instanceof IncomingMessage)) return error;
  return new Problem(400, { detail: 'The body ended too soon.', cause: error });
}
