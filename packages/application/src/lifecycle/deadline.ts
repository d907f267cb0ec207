import { hostError } from '../errors.ts';

/** Waits for work no longer than the deadline; what the work does afterwards is its own affair, told by the signal. */
export async function withDeadline<Result>(
  what: string,
  milliseconds: number,
  work: (signal: AbortSignal) => Result | Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = hostError('JIG_DEADLINE_PASSED', `${what} took longer than ${milliseconds} ms.`, {
        fields: { what, milliseconds },
      });
      controller.abort(error);
      reject(error);
    }, milliseconds);
  });
  try {
    return await Promise.race([work(controller.signal), passed]);
  } finally {
    clearTimeout(timer);
  }
}
