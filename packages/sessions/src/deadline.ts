import { SessionError } from './errors.ts';

/** A deadline has so many parts, and a stall of this process, which is nobody else's fault, counts as one of them. */
const parts = 5;

/**
 * Calls back after so many milliseconds in which this process ran; answers that are there already come first.
 * Returns what ends it, and says whether it was in time.
 */
export function startDeadline(milliseconds: number, onLate: () => void): () => boolean {
  const end = performance.now() + milliseconds;
  let left = parts;
  let isLate = false;
  let immediate: NodeJS.Immediate | undefined;
  const expire = () => {
    isLate = true;
    onLate();
  };
  const pass = () => {
    left -= 1;
    const rest = end - performance.now();
    if (left > 0) timer.refresh();
    // Node counts from the beginning of the turn in which a timer is set, so that it may come early.
    else if (rest > 0) timer = setTimeout(pass, Math.ceil(rest)).unref();
    else immediate = setImmediate(expire);
  };
  let timer = setTimeout(pass, Math.ceil(milliseconds / parts)).unref();
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
    return !isLate;
  };
}

/** Throws when the deadline of a write has passed, by `performance.now()`: somebody has been told that it was not stored. */
export function assertInTime(deadline = Number.POSITIVE_INFINITY): void {
  if (performance.now() >= deadline) throw tooLate();
}

export const tooLate = (): SessionError =>
  new SessionError('JIG_SESSION_STORE_UNAVAILABLE', 'The deadline of a write had passed; nothing of it was stored.');
