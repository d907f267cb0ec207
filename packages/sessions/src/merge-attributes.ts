import { detached } from './detached-text.ts';
import type { MergeOutcome, SessionAttributes, SessionLimits } from './session-store.ts';
import { utf8Length } from './utf8-length.ts';

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

/** The same map when nothing changes, as by a form that is sent again. What is new comes out of a request, which it must not keep in memory. */
function merged(current: SessionAttributes, entries: SessionAttributes): SessionAttributes {
  let attributes: Map<string, string> | undefined;
  for (const [name, value] of entries) {
    if (current.get(name) === value) continue;
    attributes ??= new Map(current);
    attributes.set(detached(name), detached(value));
  }
  return attributes ?? current;
}

/** The sum of names and values in UTF-8 bytes, as the limits count it. */
export function attributesSize(attributes: SessionAttributes): number {
  let bytes = 0;
  for (const [name, value] of attributes) bytes += utf8Length(name) + utf8Length(value);
  return bytes;
}
