import { inspect, types } from 'node:util';

/** Called with what was thrown, which may be anything, and a sentence that says what failed. */
export type OnError = (error: unknown, message: string) => void;

/** What was thrown, as text. Never throws, whatever getters, traps and custom inspection do. */
export function errorText(thrown: unknown): string {
  try {
    return inspect(thrown, { customInspect: false });
  } catch {
    return readableText(thrown);
  }
}

/** The stack, or else the name and the message: each may be a getter that throws. */
function readableText(thrown: unknown): string {
  const read = (key: 'name' | 'message' | 'stack'): string | undefined => {
    try {
      const value: unknown = (thrown as Readonly<Record<string, unknown>>)[key];
      return typeof value === 'string' && value !== '' ? value : undefined;
    } catch {
      return undefined;
    }
  };
  const parts = [read('name'), read('message')].filter((part) => part !== undefined);
  return read('stack') ?? (parts.join(': ') || 'what was thrown cannot be read');
}

/** Writes what was thrown to a log; if the log cannot serialize it, an error with its text. */
export function logError(write: (error: unknown) => void, thrown: unknown): void {
  try {
    write(thrown);
  } catch {
    const [line = '', ...stack] = errorText(thrown).split('\n');
    write(Object.assign(new Error(line), { stack: [line, ...stack].join('\n') }));
  }
}

/** The default of `onError`. */
export function logToConsole(error: unknown, message: string): void {
  try {
    console.error(`bean inspection: ${message} ${errorText(error)}`);
  } catch {
    // There is nowhere left to say it.
  }
}

/** An `onError` that does not throw: its own failure goes to the console. */
export function guardOnError(onError: OnError): OnError {
  return (error, message) =>
    guarded(
      () => onError(error, message),
      (failure) => logToConsole(error, `onError failed (${errorText(failure)}) to report: ${message}`),
    );
}

/** The same for other callbacks; failures are reported to `onError`. */
export function guardCallback<Value>(
  name: string,
  callback: (value: Value) => unknown,
  onError: OnError = logToConsole,
): (value: Value) => void {
  return (value) =>
    guarded(
      () => callback(value),
      (failure) =>
        onError(failure, `${name} failed${typeof value === 'string' ? ` to report: ${value}` : ' and was ignored.'}`),
    );
}

/** The callback may also return a promise that rejects. */
function guarded(call: () => unknown, onFailure: (failure: unknown) => void): void {
  try {
    const returned = call();
    if (types.isPromise(returned)) returned.catch(onFailure);
  } catch (failure) {
    onFailure(failure);
  }
}
