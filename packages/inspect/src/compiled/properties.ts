import { maskMark } from '../masking/secret-finder.ts';
import { isSecretKey } from '../masking/secret-key.ts';
import { readProperty } from '../walk/bean-code.ts';
import { PropertyCursor } from '../walk/cursors.ts';
import { findProperty, isReadable } from '../walk/reflection.ts';
import { writeEntries } from './cursor-entries.ts';
import type { Label } from './label.ts';
import { SeenSite } from './site.ts';
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
  for (let index = from; index < names.length; index++) {
    const name = names[index] as string;
    const property = findProperty(object, name);
    if (!isReadable(property)) continue;
    const value = isSecretKey(name) ? maskMark : readProperty(object, property);
    if (typeof value === 'function') continue;
    if (!writer.value(value, element, writer.shownKey(name))) return writer.stop(propertiesFrame(open, index + 1));
  }
  return writer.closeObject(label);
}

function propertiesFrame(open: OpenObject, from: number): Frame {
  const { names, label } = open;
  return {
    resume: (writer) => writeProperties(writer, open, from),
    cut: (writer) => writer.cutObject(names.length - from, label, (key) => names.includes(key)),
  };
}

/** An object whose compiled writer had to stop; meanwhile the object may have changed. */
export function shapeFrame(shape: Shape, object: object, from: number, label: Label | string): Frame {
  return {
    resume(writer) {
      if (writer.fits(object, shape)) return writer.compiled(shape)(writer, object, from, label);
      const rest = new PropertyCursor(object, shape.properties.slice(from), isSecretKey);
      return writeEntries(writer, rest, from, new SeenSite(), label);
    },
    cut: (writer) => writer.cutObject(shape.properties.length - from, label, (key) => Object.hasOwn(object, key)),
  };
}
