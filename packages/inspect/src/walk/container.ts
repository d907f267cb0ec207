import { everything, nothing, type Secrecy, texts } from '../masking/secret-key.ts';
import { runGetter } from './bean-code.ts';
import type { EntryMark } from './markers.ts';
import { isTokenizerList, siblingMarksSecret } from './named-values.ts';
import { getterOf, isMethod, isPair } from './reflection.ts';

/** What of the value behind a key must not be shown; in a list, behind an index. */
export type SecrecyOf = (key: string | number) => Secrecy;

export interface ReadOptions {
  readonly secrecyOf: SecrecyOf;
  readonly stacks?: boolean;
  /** Whether no code of the object may run: then getters are left out, and lists that are made while one reads them. */
  readonly isDataOnly?: boolean;
}

/** How an index is written in a JSON Pointer. */
export const indexPattern = /^(?:0|[1-9]\d*)$/;
/** Entries that are passed over at once. */
const skippedAtOnce = 64;

/** What an object holds, read entry by entry, so that whoever reads can stop between any two. Never throws. */
export abstract class Container {
  /** Of the entry that was come to last; in a list, the index. */
  key: string | number = '';
  value: unknown = undefined;
  mark: EntryMark | undefined = undefined;
  /** What of the value must not be shown. */
  secrecy: Secrecy = nothing;
  /** Whether an entry was not come to, since too many are before it. */
  isUnreached = false;
  protected readonly options: ReadOptions;

  constructor(options: ReadOptions) {
    this.options = options;
  }

  abstract readonly isList: boolean;
  abstract get size(): number;
  /** Comes to the next entry; false when there is none. */
  abstract next(): boolean;

  /** Comes to the entry that a token of a JSON Pointer names. A getter is wanted then, whatever it did before. */
  at(token: string): boolean {
    if (this.isList && !indexPattern.test(token)) return false;
    while (this.next()) if (String(this.key) === token) return true;
    return false;
  }

  /** Passes over some entries: how many, at most as many as wanted. */
  skip(count: number): number {
    let skipped = 0;
    while (skipped < count && skipped < skippedAtOnce && this.next()) skipped++;
    return skipped;
  }

  has(_key: string): boolean {
    return false;
  }

  /** Whether a function that is nothing else is left out. */
  protected hidesMethods(): boolean {
    return false;
  }

  /** Before the last entry was come to. */
  close(): void {}

  protected enter(key: string | number, value: unknown): true {
    this.key = key;
    this.value = value;
    this.secrecy = this.options.secrecyOf(key);
    if (this.secrecy === texts && isTokenizerList(key, value)) this.secrecy = nothing;
    return true;
  }

  /** Comes to a property of an object; false where there is nothing to show. */
  protected enterProperty(object: object, key: string | number, property: PropertyDescriptor, isWanted: boolean) {
    const { secrecyOf, isDataOnly = false } = this.options;
    const getter = getterOf(property);
    if (getter === undefined ? !('value' in property) : isDataOnly) return false;
    const secrecy = key === 'key' && isPair(object) ? nothing : secrecyOf(key);
    this.key = key;
    this.secrecy = secrecy;
    this.mark = undefined;
    if (secrecy === everything && !isDataOnly) this.value = undefined;
    else if (getter === undefined) this.value = property.value;
    else {
      const { value, mark } = runGetter(getter, object, key, isWanted);
      this.value = value;
      this.mark = mark;
    }
    if (typeof this.value === 'function' && isMethod(this.value) && this.hidesMethods()) return false;
    if (secrecy === nothing && typeof key === 'string' && siblingMarksSecret(object, key, this.value, secrecyOf))
      this.secrecy = texts;
    else if (secrecy === texts && isTokenizerList(key, this.value)) this.secrecy = nothing;
    return true;
  }
}
