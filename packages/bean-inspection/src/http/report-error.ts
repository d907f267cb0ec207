import { inspect, types } from 'node:util';

/** Called with what was thrown, which may be anything, and a sentence that says what failed. */
export type OnError = (error: unknown, message: string) => void;

/** What was thrown, as text. Never throws, whatever getters and traps do. */
export function errorText(thrown: unknown): string {
  try {
    return inspect(thrown, { customInspect: false });
  } catch {
    return 'what was thrown cannot be read';
  }
}

/** Writes what was thrown to a log; if the log cannot serialize it, an error with its text. */
export function logError(write: (error: unknown) => void, thrown: unknown): void {
  try {
    write(thrown);
  } catch {
    write(new Error(errorText(thrown)));
  }
}

/** The default of `onError`. */
export const logToConsole: OnError = (error, message) =>
  console.error(`bean inspection: ${message} ${errorText(error)}`);

/** Wraps a callback of the application: if it throws or rejects, that is reported and otherwise ignored. */
export function guardCallback<Given extends readonly unknown[]>(
  name: string,
  callback: (...given: Given) => unknown,
  onError = logToConsole,
): (...given: Given) => void {
  const report = (failure: unknown) => onError(failure, `${name} failed and was ignored.`);
  return (...given) => {
    try {
      const returned = callback(...given);
      if (types.isPromise(returned)) returned.catch(report);
    } catch (failure) {
      report(failure);
    }
  };
}

/** Wraps an `onError`: if it fails, the error it should have reported and its own go to the console. */
export const guardOnError =
  (onError: OnError): OnError =>
  (error, message) =>
    guardCallback('onError', onError, (failure, sentence) => {
      logToConsole(error, message);
      logToConsole(failure, sentence);
    })(error, message);
