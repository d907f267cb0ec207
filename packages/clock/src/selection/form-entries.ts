/** The entries of a form; of a repeated name the first one counts. A Map, so that no name can touch a prototype. */
export function formEntries(body: string): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(body)) {
    if (!entries.has(name)) entries.set(name, value);
  }
  return entries;
}
