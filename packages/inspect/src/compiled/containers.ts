import { isSecretKey } from '../masking/secret-key.ts';
import { maskMark } from '../masking/secrets.ts';
import { readProperty } from '../walk/bean-code.ts';
import { type Cursor, PropertyCursor } from '../walk/cursors.ts';
import { mapEntries, mapHas, mapSize, setSize, setValues } from '../walk/intrinsics.ts';
import { MapEntryListCursor, type MapScan, mapKeyName } from '../walk/map-cursors.ts';
import { threwMarker } from '../walk/markers.ts';
import { findProperty, hasProxiedGetter, isReadable } from '../walk/reflection.ts';
import { type EntryKey, itemKey } from './encoded-key.ts';
import { type Frame, InlineCache, type Shape, type WriterContext } from './writer-context.ts';

/** The entries of a container that has no faster way, by the cursor that the plain walk uses. */
export function writeEntries(
  writer: WriterContext,
  cursor: Cursor,
  from: number,
  cache: InlineCache,
  entryKey: EntryKey,
): boolean {
  const element = cache.element;
  for (let count = from; ; count++) {
    if (count >= writer.limit) return cutEntries(writer, cursor, entryKey);
    if (!cursor.next()) return cursor.kind === 'list' ? writer.closeList(entryKey) : writer.closeObject(entryKey);
    const { key, value } = cursor;
    if (typeof key === 'number') writer.ancestors.setIndex(key);
    if (!writer.value(value, element, typeof key === 'string' ? writer.maskedKey(key) : itemKey)) {
      return writer.stop(cursorFrame(cursor, count + 1, cache, entryKey));
    }
  }
}

function cutEntries(writer: WriterContext, cursor: Cursor, entryKey: EntryKey): boolean {
  const remaining = cursor.remaining();
  cursor.close?.();
  return cursor.kind === 'list'
    ? writer.cutList(remaining, entryKey)
    : writer.cutObject(remaining, entryKey, (key) => cursor.has(key));
}

function cursorFrame(cursor: Cursor, count: number, cache: InlineCache, entryKey: EntryKey): Frame {
  return {
    resume: (writer) => writeEntries(writer, cursor, count, cache, entryKey),
    cut: (writer) => cutEntries(writer, cursor, entryKey),
    close: () => cursor.close?.(),
  };
}

/** The items of an array, from one on. */
export function writeItems(
  writer: WriterContext,
  array: readonly unknown[],
  from: number,
  cache: InlineCache,
  entryKey: EntryKey,
): boolean {
  const element = cache.element;
  for (let index = from; index < array.length; index++) {
    if (index >= writer.limit) return writer.cutList(array.length - index, entryKey);
    let value: unknown;
    try {
      value = array[index];
    } catch (error) {
      value = threwMarker(error);
    }
    writer.ancestors.setIndex(index);
    if (!writer.value(value, element, itemKey)) return writer.stop(itemsFrame(array, index + 1, cache, entryKey));
  }
  return writer.closeList(entryKey);
}

function itemsFrame(array: readonly unknown[], from: number, cache: InlineCache, entryKey: EntryKey): Frame {
  return {
    resume: (writer) => writeItems(writer, array, from, cache, entryKey),
    cut: (writer) => writer.cutList(array.length - from, entryKey),
  };
}

/** An array that has nothing but its items. */
export function isPlainArray(object: object): object is unknown[] {
  return Array.isArray(object) && Object.getPrototypeOf(object) === Array.prototype && !('toJSON' in object);
}

/** To ask every item of a long list would take as long as to write it. */
const maxCheckedItems = 100;

/** Whether reading one of the first items would call a proxy. */
export function hasProxiedItem(array: readonly unknown[]): boolean {
  const end = Math.min(array.length, maxCheckedItems);
  for (let index = 0; index < end; index++) {
    if (hasProxiedGetter(array, index)) return true;
  }
  return false;
}

interface OpenSet {
  readonly set: Set<unknown>;
  readonly values: Iterator<unknown>;
  readonly cache: InlineCache;
  readonly entryKey: EntryKey;
}

export function writeSet(writer: WriterContext, set: Set<unknown>, cache: InlineCache, entryKey: EntryKey): boolean {
  return writeValues(writer, { set, values: setValues(set), cache, entryKey }, 0);
}

function writeValues(writer: WriterContext, open: OpenSet, from: number): boolean {
  const { values, entryKey } = open;
  const element = open.cache.element;
  for (let count = from; ; count++) {
    if (count >= writer.limit) return writer.cutList(remainingValues(open, count), entryKey);
    const { done, value } = values.next();
    if (done === true) return writer.closeList(entryKey);
    writer.ancestors.setIndex(count);
    if (!writer.value(value, element, itemKey)) return writer.stop(setFrame(open, count + 1));
  }
}

function setFrame(open: OpenSet, count: number): Frame {
  return {
    resume: (writer) => writeValues(writer, open, count),
    cut: (writer) => writer.cutList(remainingValues(open, count), open.entryKey),
  };
}

function remainingValues({ set }: OpenSet, count: number): number {
  return setSize(set) - count;
}

/** Keys that are looked at before the event loop may have its turn. */
const scanStep = 20_000;

interface OpenMap {
  readonly map: Map<unknown, unknown>;
  readonly entries: Iterator<[unknown, unknown]>;
  readonly cache: InlineCache;
  readonly entryKey: EntryKey;
}

/** A map, once its keys have been looked at. */
export function writeMap(writer: WriterContext, scan: MapScan, cache: InlineCache, entryKey: EntryKey): boolean {
  const { map } = scan;
  if (!scan.advance(scanStep)) return writer.pause(scanFrame(scan, cache, entryKey));
  if (scan.kind === 'list') {
    writer.openList(entryKey);
    return writeEntries(writer, new MapEntryListCursor(map), 0, cache, entryKey);
  }
  writer.openObject(entryKey);
  return writeMapEntries(writer, { map, entries: mapEntries(map), cache, entryKey }, 0);
}

function writeMapEntries(writer: WriterContext, open: OpenMap, from: number): boolean {
  const { entries } = open;
  const element = open.cache.element;
  for (let count = from; ; count++) {
    if (count >= writer.limit) return cutMap(writer, open, count);
    const { done, value: entry } = entries.next();
    if (done === true) return writer.closeObject(open.entryKey);
    const key = entry[0];
    const name = typeof key === 'string' ? key : mapKeyName(key);
    const value = isSecretKey(name) ? maskMark : entry[1];
    if (!writer.value(value, element, writer.maskedKey(name))) return writer.stop(mapFrame(open, count + 1));
  }
}

function mapFrame(open: OpenMap, count: number): Frame {
  return {
    resume: (writer) => writeMapEntries(writer, open, count),
    cut: (writer) => cutMap(writer, open, count),
  };
}

function scanFrame(scan: MapScan, cache: InlineCache, entryKey: EntryKey): Frame {
  return {
    resume: (writer) => writeMap(writer, scan, cache, entryKey),
    cut(writer) {
      writer.openObject(entryKey);
      cutMap(writer, { map: scan.map, entryKey }, 0);
    },
  };
}

function cutMap(writer: WriterContext, { map, entryKey }: Pick<OpenMap, 'map' | 'entryKey'>, count: number): boolean {
  return writer.cutObject(mapSize(map) - count, entryKey, (key) => mapHas(map, key));
}

interface OpenObject {
  readonly object: object;
  readonly names: readonly string[];
  readonly cache: InlineCache;
  readonly entryKey: EntryKey;
}

/** The properties of an ordinary object that has no shape, from one on. */
export function writeProperties(writer: WriterContext, open: OpenObject, from: number): boolean {
  const { object, names, entryKey } = open;
  const element = open.cache.element;
  for (let index = from; index < names.length; index++) {
    const name = names[index] as string;
    const property = findProperty(object, name);
    if (!isReadable(property)) continue;
    const value = isSecretKey(name) ? maskMark : readProperty(object, property);
    if (typeof value === 'function') continue;
    if (!writer.value(value, element, writer.maskedKey(name))) return writer.stop(propertiesFrame(open, index + 1));
  }
  return writer.closeObject(entryKey);
}

function propertiesFrame(open: OpenObject, from: number): Frame {
  const { names, entryKey } = open;
  return {
    resume: (writer) => writeProperties(writer, open, from),
    cut: (writer) => writer.cutObject(names.length - from, entryKey, (key) => names.includes(key)),
  };
}

/** An object whose compiled writer had to stop; meanwhile the object may have changed. */
export function shapeFrame(shape: Shape, object: object, from: number, entryKey: EntryKey): Frame {
  return {
    resume(writer) {
      if (writer.isOfShape(object, shape)) return writer.compiled(shape)(writer, object, from, entryKey);
      const rest = new PropertyCursor(object, shape.properties.slice(from), isSecretKey);
      return writeEntries(writer, rest, from, new InlineCache(), entryKey);
    },
    cut: (writer) => writer.cutObject(shape.properties.length - from, entryKey, (key) => Object.hasOwn(object, key)),
  };
}
