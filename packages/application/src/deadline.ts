import { hostError, JigError } from './errors.ts';

/**
 * Waits for work until the deadline, or until `abortSignal` aborts. The work is not stopped, but its signal aborts.
 * @param what the subject of the error, such as `it` in "The bean x did not start: it took longer than 20 ms."
 */
export async function withDeadline<Result>(
  what: string,
  milliseconds: number,
  work: (signal: AbortSignal) => Result | Promise<Result>,
  abortSignal?: AbortSignal,
): Promise<Result> {
  const deadline = new AbortController();
  const signal = AbortSignal.any(abortSignal === undefined ? [deadline.signal] : [deadline.signal, abortSignal]);
  signal.throwIfAborted();
  const timer = setTimeout(() => deadline.abort(deadlineError(what, milliseconds)), milliseconds);
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    return await Promise.race([work(signal), aborted]);
  } finally {
    clearTimeout(timer);
    // If `work` threw synchronously, no race handles this rejection.
    aborted.catch(() => {});
  }
}

/** Whether an error says that a deadline has passed. */
export const isDeadlineError = (error: unknown): boolean =>
  error instanceof JigError && error.code === 'JIG_DEADLINE_PASSED';

function deadlineError(what: string, milliseconds: number) {
  return hostError('JIG_DEADLINE_PASSED', `${what} took longer than ${milliseconds} ms.`, {
    fields: { what, milliseconds },
  });
}
