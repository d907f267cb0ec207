/** What an error is to be told as. */
export type Translation = (error: unknown) => unknown;

export const unchanged: Translation = (error) => error;

/** Lets methods of a client tell their errors in other words, whether these come by a callback or by a promise. */
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
