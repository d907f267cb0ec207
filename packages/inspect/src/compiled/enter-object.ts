import { types } from 'node:util';
import { callToJson, findToJson } from '../walk/bean-code.ts';
import { builtInScalar, bytesOf } from '../walk/built-in.ts';
import { containerCursor } from '../walk/container-cursor.ts';
import { MapScan } from '../walk/map-cursors.ts';
import { shownBytes } from '../walk/shown-text.ts';
import {
  hasProxiedItem,
  isPlainArray,
  writeEntries,
  writeItems,
  writeMap,
  writeProperties,
  writeSet,
} from './containers.ts';
import type { EntryKey } from './encoded-key.ts';
import { ordinaryProperties } from './shapes.ts';
import type { InlineCache, WriterContext } from './writer-context.ts';

const { prototype: datePrototype } = Date;
const { prototype: mapPrototype } = Map;

/** A map of no class of its own, which can only be a container: nothing else has to be asked of it. */
const isPlainMap = (object: object, prototype: unknown): object is Map<unknown, unknown> =>
  prototype === mapPrototype &&
  types.isMap(object) &&
  Object.getPrototypeOf(mapPrototype) === Object.prototype &&
  !('toJSON' in object);

/** Writes an object that is not of the shape that was last found in its place. Never given a proxy. */
export function enterObject(writer: WriterContext, object: object, cache: InlineCache, entryKey: EntryKey): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype === datePrototype && types.isDate(object)) return writer.value(builtInScalar(object), cache, entryKey);
  if (isPlainMap(object, prototype)) return enterMap(writer, object, cache, entryKey);
  for (const shape of cache.others) {
    if (!writer.isOfShape(object, shape)) continue;
    cache.add(shape);
    return writer.enterShape(object, shape, entryKey);
  }
  const ordinary = Array.isArray(object) ? undefined : ordinaryProperties(object, writer.epoch);
  if (ordinary === undefined) return enterSpecial(writer, object, cache, entryKey);
  const { shape, keys, getters } = ordinary;
  if (shape?.respectsOptionsOf(writer)) {
    cache.add(shape);
    return writer.enterShape(object, shape, entryKey);
  }
  const names = getters.length === 0 ? keys : [...keys, ...getters];
  if (names.length > writer.limit) return enterContainer(writer, object, object, cache, entryKey);
  if (!writer.beginContainer(object, entryKey)) return writer.hasRoom();
  writer.openObject(entryKey);
  return writeProperties(writer, { object, names, cache, entryKey }, 0);
}

/** Anything that may be more than its properties, in the order in which the plain walk decides. */
function enterSpecial(writer: WriterContext, object: object, cache: InlineCache, entryKey: EntryKey): boolean {
  if (writer.writeIfAncestor(object, entryKey)) return writer.hasRoom();
  const bytes = bytesOf(object);
  if (bytes !== undefined) {
    const { text, isCut } = shownBytes(bytes, writer.textLimit, writer.masking);
    writer.truncated ||= isCut;
    writer.entryShown(text, entryKey);
    return writer.hasRoom();
  }
  const scalar = builtInScalar(object);
  if (scalar !== undefined) return writer.value(scalar, cache, entryKey);
  const toJson = findToJson(object);
  if (toJson === undefined) return enterContainer(writer, object, object, cache, entryKey);
  const value = callToJson(toJson, object, writer.ancestors.keyOf(entryKey));
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return writer.value(value, cache, entryKey);
  if (writer.writeIfAncestor(value, entryKey)) return writer.hasRoom();
  if (bytesOf(value) !== undefined || builtInScalar(value) !== undefined) return writer.value(value, cache, entryKey);
  return enterContainer(writer, object, value, cache, entryKey);
}

function enterMap(writer: WriterContext, map: Map<unknown, unknown>, cache: InlineCache, entryKey: EntryKey): boolean {
  if (!writer.beginContainer(map, entryKey)) return writer.hasRoom();
  return writeMap(writer, new MapScan(map), cache, entryKey);
}

function enterContainer(
  writer: WriterContext,
  source: object,
  object: object,
  cache: InlineCache,
  entryKey: EntryKey,
): boolean {
  if (!writer.beginContainer(source, entryKey)) return writer.hasRoom();
  if (object !== source) writer.ancestors.alias(object);
  const cursor = containerCursor(object, writer);
  if (cursor instanceof MapScan) return writeMap(writer, cursor, cache, entryKey);
  if (cursor.kind === 'object') writer.openObject(entryKey);
  else writer.openList(entryKey);
  if (types.isSet(object)) return writeSet(writer, object, cache, entryKey);
  if (isPlainArray(object) && !hasProxiedItem(object)) return writeItems(writer, object, 0, cache, entryKey);
  return writeEntries(writer, cursor, 0, cache, entryKey);
}
