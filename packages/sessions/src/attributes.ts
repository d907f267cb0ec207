import type { MergeOutcome, SessionAttributes, SessionLimits } from './session-store.ts';

/** What one session may hold, whatever the store. */
export const sessionLimits: SessionLimits = { maximumAttributes: 100, maximumBytes: 64 * 1024 };

export type MergedAttributes =
  | {
      readonly outcome: Extract<MergeOutcome, 'stored'>;
      readonly attributes: SessionAttributes;
      readonly bytes: number;
    }
  | { readonly outcome: Exclude<MergeOutcome, 'stored'> };

/** What a session holds after a merge, or which limit refuses it; for every store that merges in this process. */
export function mergeAttributes(
  current: SessionAttributes,
  entries: SessionAttributes,
  limits: SessionLimits,
): MergedAttributes {
  const attributes = merged(current, entries);
  if (attributes.size > limits.maximumAttributes) return { outcome: 'too many attributes' };
  const bytes = attributesSize(attributes);
  return bytes > limits.maximumBytes ? { outcome: 'too many bytes' } : { outcome: 'stored', attributes, bytes };
}

/** The same map when nothing changes, as by a form that is sent again. */
function merged(current: SessionAttributes, entries: SessionAttributes): SessionAttributes {
  let attributes: Map<string, string> | undefined;
  for (const [name, value] of entries) {
    if (current.get(name) === value) continue;
    attributes ??= new Map(current);
    attributes.set(copyText(name), copyText(value));
  }
  return attributes ?? current;
}

/** The sum of names and values in UTF-8 bytes, as the limits count it. */
export function attributesSize(attributes: SessionAttributes): number {
  let bytes = 0;
  for (const [name, value] of attributes) bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
  return bytes;
}

/** From this length on, V8 keeps a part of a text as a slice, which keeps the whole request that it came in. */
const shortestSlice = 13;

/** A copy that shares no memory with the original; JSON keeps lone surrogates, which a Buffer would lose. */
export function copyText(text: string): string {
  return text.length < shortestSlice ? text : (JSON.parse(JSON.stringify(text)) as string);
}

/** The first character of every escaped text, so that a text which begins with it is escaped too. */
const escapePrefix = '\\';
const loneSurrogate = /[\ud800-\udfff]/u;

/**
 * A text in a form that every store gives back unchanged. Most texts are stored as they are; those with NUL or lone
 * surrogates, which databases and UTF-8 lose, are escaped as JSON.
 */
export function toStorableText(text: string): string {
  const isStorable = !text.startsWith(escapePrefix) && !text.includes('\0') && !loneSurrogate.test(text);
  return isStorable ? text : `${escapePrefix}${JSON.stringify(text)}`;
}

export function fromStorableText(stored: string): string {
  return stored.startsWith(escapePrefix) ? (JSON.parse(stored.slice(escapePrefix.length)) as string) : stored;
}
