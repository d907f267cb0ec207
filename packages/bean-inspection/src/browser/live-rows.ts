import type { Outline } from '@jig/inspect';
import type { LiveView } from '../live/live-streams.ts';
import type { BeanWatch } from '../watch/plot.ts';
import { glanceTiles } from './glance-card.ts';
import { timeText } from './page.ts';
import { type RowContext, rowSign, type TreeRow, treeRow, treeRows } from './tree.ts';

/** The rows of one read. */
export interface LookedRows {
  readonly rows: readonly TreeRow[];
  /** What can change of each row, by its id and in the order of the page. */
  readonly signs: ReadonlyMap<string, string>;
  /** The changing values of the bean's glance, as markup. */
  readonly tiles: string;
  readonly moment: Date;
  readonly context: LiveContext;
}

export interface LiveContext extends RowContext {
  readonly watch?: BeanWatch | undefined;
}

/** The rows of a page as they change. Only rows that differ are written, and the order only where it does; at first all. */
export const liveRows = (key: string, contextNow: () => LiveContext, look: () => Outline): LiveView<LookedRows> => ({
  key,
  look() {
    const outline = look();
    const context = contextNow();
    const rows = treeRows(outline, context.view);
    const tiles = glanceTiles(outline.glance?.readings ?? [], context.watch).toString();
    return { rows, signs: new Map(rows.map((row) => [row.id, rowSign(row)])), tiles, moment: new Date(), context };
  },
  data: rowChanges,
});

/** The changes from one read to the next; undefined if there are none. */
export function rowChanges(
  { rows, signs, tiles, moment, context }: LookedRows,
  previous: LookedRows | undefined,
): string | undefined {
  const changed = rows.filter(({ id }) => signs.get(id) !== previous?.signs.get(id));
  const ids = [...signs.keys()];
  const before = [...(previous?.signs.keys() ?? [])];
  const isSameOrder =
    previous !== undefined && ids.length === before.length && ids.every((id, index) => id === before[index]);
  const isSameGlance = tiles === previous?.tiles;
  if (changed.length === 0 && isSameOrder && isSameGlance) return undefined;
  return JSON.stringify({
    time: timeText(moment),
    ...(isSameOrder ? {} : { ids }),
    ...(isSameGlance ? {} : { tiles }),
    rows: changed.map((row) => treeRow(row, context).toString()).join(''),
  });
}
