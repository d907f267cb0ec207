import { types } from 'node:util';
import { typeName } from '../walk/class-name.ts';
import { xmlName } from '../xml/xml-name.ts';

const encoder = new TextEncoder();

/** A key that is known beforehand, ready to be copied: what stands before and after its value. */
export class Label {
  readonly key: string;
  readonly json: Uint8Array;
  readonly xmlOpen: Uint8Array;
  readonly xmlClose: Uint8Array;
  readonly xmlEmpty: Uint8Array;

  constructor(key: string, json: string, name = xmlName(key)) {
    this.key = key;
    this.json = encoder.encode(json);
    this.xmlOpen = encoder.encode(`<${name}>`);
    this.xmlClose = encoder.encode(`</${name}>`);
    this.xmlEmpty = encoder.encode(`<${name}/>`);
  }
}

export function propertyLabel(key: string): Label {
  return new Label(key, `${JSON.stringify(key)}:`);
}

const roots = new WeakMap<object, Label>();

/** The root element, named for the type of the value; kept for each prototype. */
export function rootLabel(value: unknown): Label {
  if (typeof value !== 'object' || value === null || types.isProxy(value))
    return new Label('', '', xmlName(typeName(value)));
  const prototype: object = Object.getPrototypeOf(value) ?? roots;
  let label = roots.get(prototype);
  if (label === undefined) {
    label = new Label('', '', xmlName(typeName(value)));
    roots.set(prototype, label);
  }
  return label;
}

/** Every item of a list. */
export const ITEM = new Label('', '', 'item');
