/** Remembers what was made of short texts that come again and again, such as the headers of a handful of browsers. */
export function remembered<Result>(
  make: (text: string) => Result,
  capacity = 500,
  longest = 128,
): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = make(text);
    if (text.length <= longest) {
      // Emptied rather than kept in order: that costs nothing as long as there are few.
      if (known.size >= capacity) known.clear();
      known.set(text, made);
    }
    return made;
  };
}
