/** Whether a text has all words of the filter. The page's script and the server filter by the same rule. */
export function matchesFilter(text: string, filter: string): boolean {
  const searched = text.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}
