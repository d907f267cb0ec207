import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream';
import { Problem } from '@jig/application';

type BodyTaker = (problem: Problem | null, body?: Buffer) => void;

/**
 * Reads a body of so many bytes at most. A form comes in one piece with its head, so that all of it is there after this
 * turn of the loop: it is taken at once, which costs half of what listening for its pieces does.
 */
export function readBody(payload: IncomingMessage, limit: number, done: BodyTaker): void {
  setImmediate(() => {
    if (payload.complete) takeAtOnce(payload, limit, done);
    else collect(payload, limit, done);
  });
}

function takeAtOnce(payload: IncomingMessage, limit: number, done: BodyTaker): void {
  const body = (payload.read() as Buffer | null) ?? Buffer.alloc(0);
  if (body.length > limit) done(new Problem(413));
  else done(null, body);
}

function collect(payload: IncomingMessage, limit: number, done: BodyTaker): void {
  const pieces: Buffer[] = [];
  let length = 0;
  const take = (piece: Buffer) => {
    length += piece.length;
    if (length > limit) end(new Problem(413));
    else pieces.push(piece);
  };
  const stopWaiting = finished(payload, (error) => {
    end(error ? new Problem(400, { detail: 'The body ended too soon.', cause: error }) : null);
  });
  const end = (problem: Problem | null) => {
    stopWaiting();
    payload.off('data', take);
    if (problem) done(problem);
    else done(null, Buffer.concat(pieces));
  };
  payload.on('data', take);
}
