/** Maps an error of a client library to the error that callers see. */
export type Translation = (error: unknown) => unknown;

export const unchanged: Translation = (error) => error;

/** Wraps methods of a client so that their errors are translated, for callbacks and promises. */
export function translateErrors<Target extends object>(
  target: Target,
  methods: readonly (keyof Target)[],
  translate: Translation,
): Target {
  for (const name of methods) {
    const original = target[name] as (...given: unknown[]) => unknown;
    const translated = (...given: unknown[]) => {
      const answer = original.apply(target, withCallback(given, translate));
      return answer instanceof Promise ? answer.catch((error: unknown) => Promise.reject(translate(error))) : answer;
    };
    Object.defineProperty(target, name, { value: translated, configurable: true, writable: true });
  }
  return target;
}

function withCallback(given: unknown[], translate: Translation): unknown[] {
  const callback = given.at(-1);
  if (typeof callback !== 'function') return given;
  const translated = (error: unknown, ...answer: unknown[]): unknown =>
    callback(error ? translate(error) : error, ...answer);
  return [...given.slice(0, -1), translated];
}
