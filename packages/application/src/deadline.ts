import { hostError, JigError } from './errors.ts';

/** Waits for work until the deadline, or until `abortSignal` aborts. The work is not stopped, but its signal aborts. */
export async function withDeadline<Result>(
  what: string,
  milliseconds: number,
  work: (signal: AbortSignal) => Result | Promise<Result>,
  abortSignal?: AbortSignal,
): Promise<Result> {
  const controller = new AbortController();
  const forwardAbort = () => controller.abort(abortSignal?.reason);
  const timer = setTimeout(() => controller.abort(deadlineError(what, milliseconds)), milliseconds);
  const aborted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  });
  abortSignal?.addEventListener('abort', forwardAbort, { once: true });
  if (abortSignal?.aborted) forwardAbort();
  try {
    return await Promise.race([work(controller.signal), aborted]);
  } finally {
    clearTimeout(timer);
    abortSignal?.removeEventListener('abort', forwardAbort);
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
