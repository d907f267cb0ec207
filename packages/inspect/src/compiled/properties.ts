import { maskMark } from '../masking/secret-finder.ts';
import { isSecretKey } from '../masking/secret-key.ts';
import { threwMarker } from '../walk/markers.ts';
import type { Label } from './label.ts';
import type { Frame, Shape, Site, Writing } from './writing.ts';

interface OpenObject {
  readonly object: object;
  readonly names: readonly string[];
  readonly site: Site;
  readonly label: Label | string;
}

/** The properties of an ordinary object that has no shape, from one on. */
export function writeProperties(writer: Writing, open: OpenObject, from: number): boolean {
  const { object, names, label } = open;
  const element = open.site.element;
  const properties = object as Record<string, unknown>;
  for (let index = from; index < names.length; index++) {
    const name = names[index] as string;
    const value = isSecretKey(name) ? maskMark : read(properties, name);
    if (typeof value === 'function') continue;
    if ((value === undefined || value === maskMark) && !writer.shows(object, name)) continue;
    if (!writer.value(value, element, writer.shownKey(name))) return writer.stop(propertiesFrame(open, index + 1));
  }
  return writer.closeObject(label);
}

function read(properties: Record<string, unknown>, name: string): unknown {
  try {
    return properties[name];
  } catch (error) {
    return threwMarker(error);
  }
}

function propertiesFrame(open: OpenObject, from: number): Frame {
  const { names, label } = open;
  return {
    resume: (writer) => writeProperties(writer, open, from),
    cut: (writer) => writer.cutObject(names.length - from, label, (key) => names.includes(key)),
  };
}

/** An object whose compiled writer had to stop. */
export function shapeFrame(shape: Shape, object: object, from: number, label: Label | string): Frame {
  return {
    resume: (writer) => writer.compiled(shape)(writer, object, from, label),
    cut: (writer) => writer.cutObject(shape.properties.length - from, label, (key) => Object.hasOwn(object, key)),
  };
}
