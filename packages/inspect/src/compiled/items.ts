import { threwMarker } from '../walk/markers.ts';
import { hasProxiedGetter } from '../walk/reflection.ts';
import { itemLabel, type Label } from './label.ts';
import type { Frame, Site, Writing } from './writing.ts';

/** The items of an array, from one on. */
export function writeItems(
  writer: Writing,
  array: readonly unknown[],
  from: number,
  site: Site,
  label: Label | string,
): boolean {
  const element = site.element;
  for (let index = from; index < array.length; index++) {
    if (index >= writer.limit) return writer.cutList(array.length - index, label);
    let value: unknown;
    try {
      value = array[index];
    } catch (error) {
      value = threwMarker(error);
    }
    writer.ancestors.standOn(index);
    if (!writer.value(value, element, itemLabel)) return writer.stop(itemsFrame(array, index + 1, site, label));
  }
  return writer.closeList(label);
}

function itemsFrame(array: readonly unknown[], from: number, site: Site, label: Label | string): Frame {
  return {
    resume: (writer) => writeItems(writer, array, from, site, label),
    cut: (writer) => writer.cutList(array.length - from, label),
  };
}

/** An array that has nothing but its items. */
export function isPlainArray(object: object): object is unknown[] {
  return Array.isArray(object) && Object.getPrototypeOf(object) === Array.prototype && !('toJSON' in object);
}

/** To ask every item of a long list would take as long as to write it. */
const itemsAsked = 100;

/** Whether reading one of the first items would call a proxy. */
export function hasProxiedItem(array: readonly unknown[]): boolean {
  const end = Math.min(array.length, itemsAsked);
  for (let index = 0; index < end; index++) {
    if (hasProxiedGetter(array, index)) return true;
  }
  return false;
}
