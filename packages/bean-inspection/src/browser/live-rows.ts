import type { Outline } from '@jig/inspect';
import type { LiveEvent, LiveView } from '../live/event-stream.ts';
import { pageLength, type RowContext, rowSign, type TreeRow, treeRow, treeRows } from './tree-rows.ts';

/** The rows of one look. */
export interface LookedRows {
  readonly rows: readonly TreeRow[];
  /** What can change of each row, by its id and in the order of the page. */
  readonly signs: ReadonlyMap<string, string>;
  readonly moment: Date;
}

/** The rows of a page as they change. Only rows that differ are written, and the order only where it does; at first all. */
export function liveRows(key: string, context: RowContext, look: () => Outline): LiveView<LookedRows> {
  let whole: LookedRows | undefined;
  let passedOver = 0;
  return {
    key,
    look() {
      const outline = look();
      const isShort = isOutOfTime(outline);
      if (isShort && whole !== undefined && ++passedOver <= mostPassedOver) return whole;
      const rows = treeRows(outline);
      const looked = { rows, signs: new Map(rows.map((row) => [row.id, rowSign(row)])), moment: new Date() };
      whole = isShort ? undefined : looked;
      passedOver = 0;
      return looked;
    },
    event: (next, previous) => rowChanges(context, next, previous),
  };
}

/**
 * On a busy machine a look can run out of time; its last rows would go from the page and come back with the next, and the
 * focus with them. So many in a row are passed over; a bean that always takes longer is shown as far as it comes.
 */
const mostPassedOver = 5;

/** Whether a container has more entries, though its page is not full. */
function isOutOfTime({ entries, hasMore }: Outline): boolean {
  if (hasMore && entries.length < pageLength) return true;
  return entries.some((entry) => entry.entries !== undefined && isOutOfTime(entry.entries));
}

/** What takes the page from one look to the next; undefined when it is the same. */
function rowChanges(
  context: RowContext,
  { rows, signs, moment }: LookedRows,
  previous: LookedRows | undefined,
): LiveEvent | undefined {
  const changed = rows.filter(({ id }) => signs.get(id) !== previous?.signs.get(id));
  const ids = [...signs.keys()];
  const before = [...(previous?.signs.keys() ?? [])];
  const isSameOrder =
    previous !== undefined && ids.length === before.length && ids.every((id, index) => id === before[index]);
  if (changed.length === 0 && isSameOrder) return undefined;
  const data = JSON.stringify({
    time: moment.toTimeString().slice(0, 8),
    ...(isSameOrder ? {} : { ids }),
    rows: changed.map((row) => treeRow(row, context).toString()).join(''),
  });
  return { type: 'rows', data };
}
