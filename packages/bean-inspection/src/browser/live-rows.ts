import type { Outline } from '@jig/inspect';
import type { LiveView } from '../live/live-streams.ts';
import type { BeanWatch } from '../watch/plot.ts';
import { glanceTiles } from './glance-card.ts';
import { timeText } from './page.ts';
import { type RowContext, rowState, type TreeRow, treeRow, treeRows } from './tree.ts';

/** What one read found. */
export interface LiveRows {
  readonly rows: readonly TreeRow[];
  /** By the id of the row, in the order of the page. */
  readonly states: ReadonlyMap<string, string>;
  /** The changing values of the bean's glance, as markup. */
  readonly tiles: string;
  readonly moment: Date;
  readonly context: LiveContext;
}

export interface LiveContext extends RowContext {
  readonly watch?: BeanWatch | undefined;
}

/** The rows of a page as they change: first all, then only those that differ, and their order if it differs. */
export const liveRows = (
  key: string,
  getContext: () => LiveContext,
  getOutline: () => Outline,
): LiveView<LiveRows> => ({
  key,
  read() {
    const outline = getOutline();
    const context = getContext();
    const rows = treeRows(outline, context.view);
    const tiles = glanceTiles(outline.glance?.readings ?? [], context.watch).toString();
    return { rows, states: new Map(rows.map((row) => [row.id, rowState(row)])), tiles, moment: new Date(), context };
  },
  data: rowChanges,
});

/** The changes from one read to the next; undefined if there are none. */
export function rowChanges(
  { rows, states, tiles, moment, context }: LiveRows,
  previous: LiveRows | undefined,
): string | undefined {
  const changed = rows.filter(({ id }) => states.get(id) !== previous?.states.get(id));
  const ids = [...states.keys()];
  const before = [...(previous?.states.keys() ?? [])];
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
