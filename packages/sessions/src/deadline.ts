import { SessionError } from './errors.ts';

/** A timer that is late by more than this was delayed by a blocked event loop. */
const stallMs = 50;

/**
 * Calls `onLate` after so many milliseconds, and returns a function that cancels it. If the event loop was blocked meanwhile, answers that
 * have arrived are handled first.
 */
export function startDeadline(milliseconds: number, onLate: () => void): () => void {
  const due = performance.now() + milliseconds;
  let immediate: NodeJS.Immediate | undefined;
  const expire = () => {
    immediate = setImmediate(onLate);
  };
  let timer = setTimeout(() => {
    if (performance.now() < due + stallMs) expire();
    else timer = setTimeout(expire, milliseconds / 5).unref();
  }, milliseconds).unref();
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}

/** Throws if the deadline of a write, by `performance.now()`, has passed: the visitor was answered that nothing was stored. */
export function assertInTime(deadline = Number.POSITIVE_INFINITY): void {
  if (performance.now() >= deadline) throw tooLate();
}

export const tooLate = (): SessionError =>
  new SessionError('JIG_SESSION_STORE_UNAVAILABLE', 'The deadline of a write has passed; nothing was stored.');
