import { maskMark } from '../masking/secret-finder.ts';
import { isSecretKey } from '../masking/secret-key.ts';
import { mapEntries, mapHas, mapSize } from '../walk/intrinsics.ts';
import { MapEntryListCursor, type MapScan, mapKeyName } from '../walk/map-cursors.ts';
import { writeEntries } from './cursor-entries.ts';
import type { Label } from './label.ts';
import type { Frame, Site, Writing } from './writing.ts';

/** Keys that are looked at before the event loop may have its turn. */
const scanStep = 20_000;

interface OpenMap {
  readonly map: Map<unknown, unknown>;
  readonly entries: Iterator<[unknown, unknown]>;
  readonly site: Site;
  readonly label: Label | string;
}

/** A map, once its keys have been looked at. */
export function writeMap(writer: Writing, scan: MapScan, site: Site, label: Label | string): boolean {
  const { map } = scan;
  if (!scan.advance(scanStep)) return writer.pause(scanFrame(scan, site, label));
  if (scan.form === 'list') {
    writer.openList(label);
    return writeEntries(writer, new MapEntryListCursor(map), 0, site, label);
  }
  writer.openObject(label);
  return writeMapEntries(writer, { map, entries: mapEntries(map), site, label }, 0);
}

function writeMapEntries(writer: Writing, open: OpenMap, from: number): boolean {
  const { entries } = open;
  const element = open.site.element;
  for (let count = from; ; count++) {
    if (count >= writer.limit) return cutMap(writer, open, count);
    const { done, value: entry } = entries.next();
    if (done === true) return writer.closeObject(open.label);
    const key = entry[0];
    const name = typeof key === 'string' ? key : mapKeyName(key);
    const value = isSecretKey(name) ? maskMark : entry[1];
    if (!writer.value(value, element, writer.shownKey(name))) return writer.stop(mapFrame(open, count + 1));
  }
}

function mapFrame(open: OpenMap, count: number): Frame {
  return {
    resume: (writer) => writeMapEntries(writer, open, count),
    cut: (writer) => cutMap(writer, open, count),
  };
}

function scanFrame(scan: MapScan, site: Site, label: Label | string): Frame {
  return {
    resume: (writer) => writeMap(writer, scan, site, label),
    cut(writer) {
      writer.openObject(label);
      cutMap(writer, { map: scan.map, label }, 0);
    },
  };
}

function cutMap(writer: Writing, { map, label }: Pick<OpenMap, 'map' | 'label'>, count: number): boolean {
  return writer.cutObject(mapSize(map) - count, label, (key) => mapHas(map, key));
}
