import { nothing, type Secrecy } from '../masking/secret-key.ts';
import type { Cursor } from '../walk/cursors.ts';
import { MapScan } from '../walk/map-cursors.ts';
import { type EncodedKey, type EntryKey, encodedKey } from './encoded-key.ts';
import type { ClassGetter } from './prototype-facts.ts';

/** Where a container is: in the containers around it, by their keys. A link, since the text of it would be long in a deep nest. */
export interface Place {
  readonly around: Place | undefined;
  readonly key: string;
}

const rememberedKeys = 32;

/** An open container, and where to go on in it. */
export class Frame {
  object: object | undefined;
  /** What its `toJSON` made, which is written in its place. */
  made: object | undefined;
  key: EntryKey = '';
  /** What of its entries must not be shown, since of itself it must not. */
  secrecy: Secrecy = nothing;
  isList = false;
  /** How many entries were taken: the place of the next one. */
  index = 0;
  /** How many of them had nothing to show. */
  unshown = 0;
  /** Where it begins in the array of the output, before anything of it is handed out. */
  start = 0;
  /** Where its content begins, counted from the start of the document. */
  content = 0;
  /** How many entries are still to be passed over. */
  skip = 0;
  /** How many values the document had before those in it. */
  before = 0;
  /** Where it is, once anybody has asked; undefined too where it is the root. */
  place: Place | undefined;
  /** For any container; the two that are most frequent are read without one. */
  cursor: Cursor | MapScan | undefined;
  /** The items of an array. */
  items: readonly unknown[] | undefined;
  /** The own properties of an ordinary object, then the getters of its classes. */
  names: readonly string[] = [];
  getters: readonly ClassGetter[] = [];
  /** The keys of the last object here, by place: the next one often has the same. */
  readonly keys: (EncodedKey | undefined)[] = [];
  /** The chunk in which the getters were found. */
  chunk = 0;

  /** The key of a property of its object, encoded. */
  keyOf(name: string, index: number): EncodedKey | undefined {
    if (index >= rememberedKeys) return encodedKey(name);
    const last = this.keys[index];
    if (last !== undefined && last.text === name) return last;
    const key = encodedKey(name);
    this.keys[index] = key;
    return key;
  }

  clear(): void {
    this.object = undefined;
    this.made = undefined;
    this.cursor = undefined;
    this.items = undefined;
    this.place = undefined;
    this.skip = 0;
  }
}

/** The key of the entry that was taken last; in a list, its index. */
export function currentKey({ cursor, items, names, getters, index }: Frame): string {
  if (items !== undefined) return String(index - 1);
  if (cursor === undefined) return names[index - 1] ?? (getters[index - 1 - names.length] as ClassGetter).name;
  return cursor instanceof MapScan ? '' : String(cursor.key);
}
