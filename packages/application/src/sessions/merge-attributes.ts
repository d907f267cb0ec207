import type { MergeOutcome, SessionAttributes, SessionLimits } from './session-store.ts';

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
  const attributes = new Map(current);
  for (const [name, value] of entries) attributes.set(name, value);
  if (attributes.size > limits.maximumAttributes) return { outcome: 'too many attributes' };
  const bytes = attributesSize(attributes);
  return bytes > limits.maximumBytes ? { outcome: 'too many bytes' } : { outcome: 'stored', attributes, bytes };
}

/** The sum of names and values in UTF-8 bytes, as the limits count it. */
export function attributesSize(attributes: SessionAttributes): number {
  let bytes = 0;
  for (const [name, value] of attributes) bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
  return bytes;
}
