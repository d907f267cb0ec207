/** The entries of a form; of a repeated name the first one counts. A Map, so that no name can touch a prototype. */
export function formEntries(body: string): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  // It takes a question mark at the start for that of an address; in a form it belongs to the first name.
  const form = body.startsWith('?') ? `&${body}` : body;
  new URLSearchParams(form).forEach((value, name) => {
    if (!entries.has(name)) entries.set(name, value);
  });
  return entries;
}
