import { inspect, types } from 'node:util';

/** Called with what was thrown, which may be anything, and a sentence on what failed. */
export type OnError = (error: unknown, message: string) => void;

/** What was thrown, as a text. Whatever its getters, its traps and its own way to be inspected do, this does not throw. */
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

/** Writes what was thrown to a log that reads errors by itself; where it cannot, an error with the text of it. */
export function logError(write: (error: unknown) => void, thrown: unknown): void {
  try {
    write(thrown);
  } catch {
    const [line = '', ...stack] = errorText(thrown).split('\n');
    write(Object.assign(new Error(line), { stack: [line, ...stack].join('\n') }));
  }
}

/** Where errors go by default. */
export function logToConsole(error: unknown, message: string): void {
  try {
    console.error(`bean inspection: ${message} ${errorText(error)}`);
  } catch {
    // There is nowhere left to say it.
  }
}

/** The same function, which does not throw: what it fails with goes to the console, after what it was to report. */
export function guardOnError(onError: OnError): OnError {
  return (error, message) =>
    guarded(
      () => onError(error, message),
      (failure) => logToConsole(error, `onError failed (${errorText(failure)}) to report: ${message}`),
    );
}

/** The same for a function that is told something else; what is thrown is reported. */
export function guardTold<Told>(
  name: string,
  tell: (told: Told) => unknown,
  onError: OnError = logToConsole,
): (told: Told) => void {
  return (told) =>
    guarded(
      () => tell(told),
      (failure) =>
        onError(failure, `${name} failed${typeof told === 'string' ? ` to report: ${told}` : ' and was ignored.'}`),
    );
}

/** A function of the application may also return a promise that is rejected. */
function guarded(call: () => unknown, onFailure: (failure: unknown) => void): void {
  try {
    const returned = call();
    if (types.isPromise(returned)) returned.catch(onFailure);
  } catch (failure) {
    onFailure(failure);
  }
}
