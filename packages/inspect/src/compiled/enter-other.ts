import { types } from 'node:util';
import { callToJson, findToJson } from '../walk/bean-code.ts';
import { builtInScalar, bytesOf } from '../walk/built-in.ts';
import { containerCursor } from '../walk/container-cursor.ts';
import { MapScan } from '../walk/map-cursors.ts';
import { shownBytes } from '../walk/shown-text.ts';
import { writeEntries } from './cursor-entries.ts';
import { hasProxiedItem, isPlainArray, writeItems } from './items.ts';
import type { Label } from './label.ts';
import { writeMap } from './map-entries.ts';
import { writeProperties } from './properties.ts';
import { writeSet } from './set-values.ts';
import { ordinaryProperties } from './shapes.ts';
import type { Site, Writing } from './writing.ts';

/** Writes an object that is not of the shape that was last found in its place. Never given a proxy. */
export function enterOther(writer: Writing, object: object, site: Site, label: Label | string): boolean {
  for (const shape of site.others) {
    if (!writer.fits(object, shape)) continue;
    site.remember(shape);
    return writer.enterShape(object, shape, label);
  }
  const ordinary = Array.isArray(object) ? undefined : ordinaryProperties(object, writer.document);
  if (ordinary === undefined) return enterSpecial(writer, object, site, label);
  const { shape, keys, getters } = ordinary;
  if (shape?.suits(writer)) {
    site.remember(shape);
    return writer.enterShape(object, shape, label);
  }
  const names = getters.length === 0 ? keys : [...keys, ...getters];
  if (names.length > writer.limit) return enterContainer(writer, object, object, site, label);
  if (!writer.begin(object, label)) return writer.hasRoom();
  writer.openObject(label);
  return writeProperties(writer, { object, names, site, label }, 0);
}

/** Anything that may be more than its properties, in the order in which the plain walk decides. */
function enterSpecial(writer: Writing, object: object, site: Site, label: Label | string): boolean {
  if (writer.refers(object, label)) return writer.hasRoom();
  const bytes = bytesOf(object);
  if (bytes !== undefined) {
    const { text, isCut } = shownBytes(bytes, writer.textLimit, writer.masking);
    writer.truncated ||= isCut;
    writer.entryShown(text, label);
    return writer.hasRoom();
  }
  const scalar = builtInScalar(object);
  if (scalar !== undefined) return writer.value(scalar, site, label);
  const toJson = findToJson(object);
  if (toJson === undefined) return enterContainer(writer, object, object, site, label);
  const value = callToJson(toJson, object, writer.ancestors.keyOf(label));
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return writer.value(value, site, label);
  if (writer.refers(value, label)) return writer.hasRoom();
  if (bytesOf(value) !== undefined || builtInScalar(value) !== undefined) return writer.value(value, site, label);
  return enterContainer(writer, object, value, site, label);
}

function enterContainer(writer: Writing, source: object, object: object, site: Site, label: Label | string): boolean {
  if (!writer.begin(source, label)) return writer.hasRoom();
  if (object !== source) writer.ancestors.alias(object);
  const cursor = containerCursor(object, writer);
  if (cursor instanceof MapScan) return writeMap(writer, cursor, site, label);
  if (cursor.form === 'object') writer.openObject(label);
  else writer.openList(label);
  if (types.isSet(object)) return writeSet(writer, object, site, label);
  if (isPlainArray(object) && !hasProxiedItem(object)) return writeItems(writer, object, 0, site, label);
  return writeEntries(writer, cursor, 0, site, label);
}
