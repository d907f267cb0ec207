/** Known at once, or later. What is at hand is better given at once: a promise costs more than most lookups. Await it. */
export type Awaitable<Value> = Value | Promise<Value>;

/** Goes on with the value at once if it is at hand. */
export function whenKnown<Value, Result>(
  value: Awaitable<Value>,
  proceed: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(proceed) : proceed(value);
}
