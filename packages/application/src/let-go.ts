/** Something kept that notes when it is used: to move it to the end of its Map each time would make V8 build the Map anew again and again. */
export interface Evictable {
  wasUsed: boolean;
}

/**
 * Lets go of entries while there are too many, the oldest first; one that was used since it came, or since it was spared,
 * is spared once more. The newest stays.
 * @param remove takes an entry out of the Map
 */
export function evict<Entry extends Evictable>(
  entries: Map<string, Entry>,
  newest: Entry,
  areTooMany: () => boolean,
  remove: (key: string, entry: Entry) => void,
): void {
  for (const [key, entry] of entries) {
    if (!areTooMany() || (entry === newest && entries.size === 1)) return;
    if (entry.wasUsed || entry === newest) {
      entries.delete(key);
      entry.wasUsed = false;
      entries.set(key, entry);
    } else remove(key, entry);
  }
}
