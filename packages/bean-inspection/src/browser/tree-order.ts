import type { Outline, OutlineEntry } from '@jig/inspect';

/** The entries of a container in the order of the page. */
export interface Arranged {
  readonly shown: readonly OutlineEntry[];
  /** Those that are folded. */
  readonly internals: readonly OutlineEntry[];
}

/** Simple values first, then containers. What is no object, or is shown in parts, keeps its own order. */
export function arrange({ kind, from, hasMore, entries }: Outline): Arranged {
  if (kind !== 'object' || from > 0 || hasMore) return { shown: entries, internals: [] };
  const ordered = [...entries].sort((a, b) => rank(a) - rank(b));
  const shown = ordered.filter((entry) => !isInternal(entry));
  return shown.length === 0 ? { shown: ordered, internals: [] } : { shown, internals: ordered.filter(isInternal) };
}

const containers = ['object', 'array', 'map', 'set', 'reference'];

function rank({ kind }: OutlineEntry): number {
  if (kind === 'function' || kind === 'other' || kind === 'limit') return 2;
  return containers.includes(kind) ? 1 : 0;
}

const isInternal = ({ key, kind }: OutlineEntry) =>
  key.startsWith('_') || kind === 'null' || (kind !== 'number' && /listeners?$/i.test(key));

/** About how many rows a page shows by itself. */
const mostRows = 30;
/** A longer container stays closed. */
const longest = 20;
const mostLevels = 9;

/**
 * Says which containers open by themselves: level by level, as long as there is room for all of their rows; one with
 * a single entry always, but not each item of a long list. What people open and close does not count, so that it
 * changes nothing else.
 */
export function unfolding(): (opened: readonly Outline[]) => readonly OutlineEntry[] {
  let rows = 0;
  let levels = 0;
  return (opened) => {
    const all = opened.map((outline) => ({ ...arrange(outline), isList: isLongList(outline) }));
    for (const { shown, internals } of all) rows += shown.length + (internals.length > 0 ? 1 : 0);
    let left = mostRows - rows;
    return ++levels > mostLevels
      ? []
      : all.flatMap(({ shown, isList }) =>
          shown.filter(({ size = 0, kind, name, canOpen }) => {
            if (!canOpen || !containers.includes(kind) || name !== undefined) return false;
            if ((size > 1 || isList) && size > Math.min(left, longest)) return false;
            left -= size;
            return true;
          }),
        );
  };
}

const isLongList = ({ kind, entries }: Outline) => kind !== 'object' && entries.length > longest;

/** The pointers of all open containers. */
export const openPointers = ({ entries }: Outline): string[] =>
  entries.flatMap(({ pointer, entries: inside }) => (inside === undefined ? [] : [pointer, ...openPointers(inside)]));
