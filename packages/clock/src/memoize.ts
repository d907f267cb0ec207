import { BoundedCache } from '@jig/application/internal';

/** Memoizes a function of short texts that are often the same, such as the headers of browsers. */
export function memoize<Result>(
  make: (text: string) => Result,
  capacity = 500,
  maxLength = 128,
): (text: string) => Result {
  const results = new BoundedCache<Result>(capacity);
  return (text) => (text.length > maxLength ? make(text) : results.getOrCreate(text, () => make(text)));
}
