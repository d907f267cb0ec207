import { types } from 'node:util';
import type { Masking } from '../masking/masking.ts';
import { typeName } from '../walk/reflection.ts';
import { xmlName } from '../xml/xml-name.ts';
import { BoundedMap } from './bounded-map.ts';
import { Constant } from './byte-output.ts';

/** The key of an entry: encoded when it was known beforehand. */
export type EntryKey = EncodedKey | string;

/** A key as the bytes that stand before and after its value. */
export class EncodedKey {
  readonly text: string;
  readonly xmlName: string;
  readonly json: Constant;
  readonly xmlOpen: Constant;
  readonly xmlClose: Constant;
  readonly xmlEmpty: Constant;

  constructor(text: string, json: string, name = xmlName(text)) {
    this.text = text;
    this.xmlName = name;
    this.json = new Constant(json);
    this.xmlOpen = new Constant(`<${name}>`);
    this.xmlClose = new Constant(`</${name}>`);
    this.xmlEmpty = new Constant(`<${name}/>`);
  }
}

export function encodedProperty(key: string): EncodedKey {
  return new EncodedKey(key, `${JSON.stringify(key)}:`);
}

/** The commonest root, which needs no search for its class. */
function isPlainObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return false;
  return Object.getPrototypeOf(value) === Object.prototype;
}

const maxRoots = 500;
const roots = new BoundedMap<EncodedKey>(maxRoots);

/** The root element, named for the type of the value. */
export function rootKey(value: unknown, masking: Masking): EncodedKey {
  const type = isPlainObject(value) ? 'Object' : masking.key(typeName(value));
  let entryKey = roots.get(type);
  if (entryKey === undefined) {
    entryKey = new EncodedKey('', '', xmlName(type));
    roots.set(type, entryKey);
  }
  return entryKey;
}

/** Every item of a list. */
export const itemKey = new EncodedKey('', '', 'item');
