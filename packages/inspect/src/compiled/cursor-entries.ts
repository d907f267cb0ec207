import type { Cursor } from '../walk/cursors.ts';
import { itemLabel, type Label } from './label.ts';
import type { Frame, Site, Writing } from './writing.ts';

/** The entries of a container that has no faster way, by the cursor that the plain walk uses. */
export function writeEntries(
  writer: Writing,
  cursor: Cursor,
  from: number,
  site: Site,
  label: Label | string,
): boolean {
  const element = site.element;
  for (let count = from; ; count++) {
    if (count >= writer.limit) return cut(writer, cursor, label);
    if (!cursor.next()) return cursor.form === 'list' ? writer.closeList(label) : writer.closeObject(label);
    const { key, value } = cursor;
    if (typeof key === 'number') writer.ancestors.standOn(key);
    if (!writer.value(value, element, typeof key === 'string' ? writer.shownKey(key) : itemLabel)) {
      return writer.stop(cursorFrame(cursor, count + 1, site, label));
    }
  }
}

function cut(writer: Writing, cursor: Cursor, label: Label | string): boolean {
  const remaining = cursor.remaining();
  cursor.close?.();
  return cursor.form === 'list'
    ? writer.cutList(remaining, label)
    : writer.cutObject(remaining, label, (key) => cursor.has(key));
}

function cursorFrame(cursor: Cursor, count: number, site: Site, label: Label | string): Frame {
  return {
    resume: (writer) => writeEntries(writer, cursor, count, site, label),
    cut: (writer) => cut(writer, cursor, label),
    close: () => cursor.close?.(),
  };
}
