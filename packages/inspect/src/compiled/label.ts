import { types } from 'node:util';
import type { Masking } from '../masking/masking.ts';
import { typeName } from '../walk/reflection.ts';
import { xmlName } from '../xml/xml-name.ts';

const encoder = new TextEncoder();

/** How this machine keeps numbers, which is how the words of a constant were made and must be written. */
export const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Constant bytes as numbers of eight bytes each, by which they are copied. No number is NaN: no UTF-8 makes one. */
export class Constant {
  readonly length: number;
  readonly words: Float64Array;

  constructor(text: string) {
    const bytes = encoder.encode(text);
    const padded = new Uint8Array(Math.ceil(bytes.length / 8) * 8);
    padded.set(bytes);
    this.length = bytes.length;
    this.words = new Float64Array(padded.buffer);
  }
}

/** A key that is known beforehand, ready to be copied: what stands before and after its value. */
export class Label {
  readonly key: string;
  /** The key as an element name. */
  readonly name: string;
  readonly json: Constant;
  readonly xmlOpen: Constant;
  readonly xmlClose: Constant;
  readonly xmlEmpty: Constant;

  constructor(key: string, json: string, name = xmlName(key)) {
    this.key = key;
    this.name = name;
    this.json = new Constant(json);
    this.xmlOpen = new Constant(`<${name}>`);
    this.xmlClose = new Constant(`</${name}>`);
    this.xmlEmpty = new Constant(`<${name}/>`);
  }
}

export function propertyLabel(key: string): Label {
  return new Label(key, `${JSON.stringify(key)}:`);
}

/** The commonest root, which needs no search for its class. */
function isPlainObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return false;
  return Object.getPrototypeOf(value) === Object.prototype;
}

const mostRoots = 500;
const roots = new Map<string, Label>();

/** The root element, named for the type of the value. */
export function rootLabel(value: unknown, masking: Masking): Label {
  const type = isPlainObject(value) ? 'Object' : masking.key(typeName(value));
  let label = roots.get(type);
  if (label === undefined) {
    if (roots.size >= mostRoots) roots.clear();
    label = new Label('', '', xmlName(type));
    roots.set(type, label);
  }
  return label;
}

/** Every item of a list. */
export const itemLabel = new Label('', '', 'item');
