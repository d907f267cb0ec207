import { detached } from './detached-text.ts';
import type { SessionAttributes } from './session-store.ts';

/** What differs from what is kept already: a form that is sent again, as by the button that reloads, changes nothing. */
export function changedAttributes(current: SessionAttributes, entries: SessionAttributes): SessionAttributes {
  const changes = new Map<string, string>();
  for (const [name, value] of entries) {
    if (current.get(name) !== value) changes.set(detached(name), detached(value));
  }
  return changes;
}
