import { hostError, JigError } from './errors.ts';

/** Waits for work no longer than the deadline, or until it is called off; what the work does afterwards is its own affair, told by the signal. */
export async function withDeadline<Result>(
  what: string,
  milliseconds: number,
  work: (signal: AbortSignal) => Result | Promise<Result>,
  calledOff?: AbortSignal,
): Promise<Result> {
  const controller = new AbortController();
  const endWith = (reason: unknown) => controller.abort(reason);
  const callOff = () => endWith(calledOff?.reason);
  const timer = setTimeout(() => endWith(tooLong(what, milliseconds)), milliseconds);
  const ended = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  });
  calledOff?.addEventListener('abort', callOff, { once: true });
  if (calledOff?.aborted) callOff();
  try {
    return await Promise.race([work(controller.signal), ended]);
  } finally {
    clearTimeout(timer);
    calledOff?.removeEventListener('abort', callOff);
    ended.catch(() => {});
  }
}

/** Whether an error is that of a deadline. */
export const isTooLate = (error: unknown): boolean => error instanceof JigError && error.code === 'JIG_DEADLINE_PASSED';

function tooLong(what: string, milliseconds: number) {
  return hostError('JIG_DEADLINE_PASSED', `${what} took longer than ${milliseconds} ms.`, {
    fields: { what, milliseconds },
  });
}
