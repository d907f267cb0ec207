import { SessionError } from './errors.ts';

/** In milliseconds: a timer that comes later than this was held up by this process. */
const stall = 50;

/** Calls back after so many milliseconds; answers that came in a stall of this process, which is nobody else's fault, come first. Returns what ends it. */
export function startDeadline(milliseconds: number, onLate: () => void): () => void {
  const due = performance.now() + milliseconds;
  let immediate: NodeJS.Immediate | undefined;
  const expire = () => {
    immediate = setImmediate(onLate);
  };
  let timer = setTimeout(() => {
    if (performance.now() < due + stall) expire();
    else timer = setTimeout(expire, milliseconds / 5).unref();
  }, milliseconds).unref();
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}

/** Throws when the deadline of a write has passed, by `performance.now()`: somebody has been told that it was not stored. */
export function assertInTime(deadline = Number.POSITIVE_INFINITY): void {
  if (performance.now() >= deadline) throw tooLate();
}

export const tooLate = (): SessionError =>
  new SessionError('JIG_SESSION_STORE_UNAVAILABLE', 'The deadline of a write had passed; nothing of it was stored.');
