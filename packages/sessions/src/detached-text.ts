/** V8 keeps a text of this length or more that was cut out of another as a slice, which holds on to the whole request that it came in. */
const shortestSlice = 13;

/** The same text, made anew by way of JSON, which keeps lone surrogates as they are. */
export function detached(text: string): string {
  return text.length < shortestSlice ? text : (JSON.parse(JSON.stringify(text)) as string);
}
