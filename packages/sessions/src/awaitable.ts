/** A value, or a promise of it. A store that has the answer at hand gives it without a promise, which costs more than most lookups. */
export type Awaitable<Value> = Value | Promise<Value>;

/** Maps the value at once if it is at hand. */
export function mapAwaitable<Value, Result>(
  value: Awaitable<Value>,
  map: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(map) : map(value);
}
