import type { MergeOutcome, SessionAttributes, SessionLimits } from './session-store.ts';

/** The limits of a session, the same for every store. */
export const sessionLimits: SessionLimits = { maximumAttributes: 100, maximumBytes: 64 * 1024 };

export type MergedAttributes =
  | {
      readonly outcome: Extract<MergeOutcome, 'stored'>;
      readonly attributes: SessionAttributes;
      readonly bytes: number;
    }
  | { readonly outcome: Exclude<MergeOutcome, 'stored'> };

/** The attributes after a merge, or the limit that refuses it; for stores that merge in this process. */
export function mergeAttributes(
  current: SessionAttributes,
  entries: SessionAttributes,
  limits: SessionLimits,
): MergedAttributes {
  const attributes = new Map(current);
  for (const [name, value] of entries) attributes.set(copyText(name), copyText(value));
  if (attributes.size > limits.maximumAttributes) return { outcome: 'too many attributes' };
  const bytes = attributesSize(attributes);
  return bytes > limits.maximumBytes ? { outcome: 'too many bytes' } : { outcome: 'stored', attributes, bytes };
}

/** The size of names and values in UTF-8 bytes, as the limits count it. */
export function attributesSize(attributes: SessionAttributes): number {
  let bytes = 0;
  for (const [name, value] of attributes) bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
  return bytes;
}

/** From this length on, a substring in V8 keeps its whole string (here the request) in memory. */
const shortestSlice = 13;

/** Copies a string without sharing memory. JSON keeps lone surrogates, a Buffer does not. */
export function copyText(text: string): string {
  return text.length < shortestSlice ? text : (JSON.parse(JSON.stringify(text)) as string);
}

/** Begins every escaped string; strings that begin with it are escaped too. */
const escapePrefix = '\\';
const loneSurrogate = /[\ud800-\udfff]/u;

/** Escapes strings with NUL or lone surrogates, which databases and UTF-8 lose, as JSON; leaves all others as they are. */
export function toStorableText(text: string): string {
  const isStorable = !text.startsWith(escapePrefix) && !text.includes('\0') && !loneSurrogate.test(text);
  return isStorable ? text : `${escapePrefix}${JSON.stringify(text)}`;
}

export function fromStorableText(stored: string): string {
  return stored.startsWith(escapePrefix) ? (JSON.parse(stored.slice(escapePrefix.length)) as string) : stored;
}
