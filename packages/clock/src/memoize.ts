/** Memoizes a function of short texts that are often the same, such as the headers of browsers. */
export function memoize<Result>(
  make: (text: string) => Result,
  capacity = 500,
  maxLength = 128,
): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = make(text);
    if (text.length <= maxLength) {
      // Cleared as a whole: keeping an order would cost more than making the few entries again.
      if (known.size >= capacity) known.clear();
      known.set(text, made);
    }
    return made;
  };
}
