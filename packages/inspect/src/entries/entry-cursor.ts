import { allSecret, noSecret, type Secrecy, textsSecret } from '../masking/secret-key.ts';
import { runGetter } from '../objects/bean-code.ts';
import type { Context } from '../objects/context.ts';
import type { EntryMark } from '../objects/markers.ts';
import { getterOf, isMethod, isPair } from '../objects/reflection.ts';
import { isTokenizerList, siblingMarksSecret } from './named-values.ts';

/** Returns what is secret of the value under a key or index. */
export type SecrecyOf = (key: string | number) => Secrecy;

export interface ReadOptions {
  readonly context: Context;
  readonly secrecyOf: SecrecyOf;
  readonly stacks?: boolean;
  /** Whether no code of the object may run; then getters and iterators are left out. */
  readonly isDataOnly?: boolean;
}

/** An index in a JSON Pointer. */
export const indexPattern = /^(?:0|[1-9]\d*)$/;
/** How many entries are skipped at once. */
const skippedAtOnce = 64;

/** A cursor over the entries of an object. Never throws. */
export abstract class EntryCursor {
  /** The key or index of the current entry. */
  key: string | number = '';
  value: unknown = undefined;
  mark: EntryMark | undefined = undefined;
  /** What is secret of the value. */
  secrecy: Secrecy = noSecret;
  /** Whether an entry was not reached, since there are too many before it. */
  isUnreached = false;
  /** Whether code of a bean was run for the entries so far. */
  hasRunCode = false;
  protected readonly options: ReadOptions;

  constructor(options: ReadOptions) {
    this.options = options;
  }

  abstract readonly isList: boolean;
  abstract get size(): number;
  /** Moves to the next entry; false if there is none. */
  abstract next(): boolean;

  /** Moves to the entry that a token of a JSON Pointer names. That of `Properties` also runs a getter that `next` would not run. */
  at(token: string): boolean {
    if (this.isList && !indexPattern.test(token)) return false;
    while (this.next()) if (String(this.key) === token) return true;
    return false;
  }

  /** Skips at most so many entries, and returns how many. */
  skip(count: number): number {
    let skipped = 0;
    while (skipped < count && skipped < skippedAtOnce && this.next()) skipped++;
    return skipped;
  }

  has(_key: string): boolean {
    return false;
  }

  /** Whether functions without data are left out. */
  protected hidesMethods(): boolean {
    return false;
  }

  /** Releases what the cursor holds, such as an iterator. */
  close(): void {}

  protected enter(key: string | number, value: unknown): true {
    this.key = key;
    this.value = value;
    this.secrecy = this.options.secrecyOf(key);
    if (this.secrecy === textsSecret && isTokenizerList(key, value)) this.secrecy = noSecret;
    return true;
  }

  /** Moves to a property of an object; false if it is not shown. */
  protected enterProperty(object: object, key: string | number, property: PropertyDescriptor, isRequested: boolean) {
    const { context, secrecyOf, isDataOnly = false } = this.options;
    const getter = getterOf(property);
    if (getter === undefined && !('value' in property)) return false;
    if (getter !== undefined && isDataOnly) return false;
    const secrecy = key === 'key' && isPair(object) ? noSecret : secrecyOf(key);
    this.key = key;
    this.secrecy = secrecy;
    this.mark = undefined;
    // Never shown. If only data is read, it is kept for the scan for secrets, which masks it elsewhere too.
    if (secrecy === allSecret && !isDataOnly) this.value = undefined;
    else if (getter === undefined) this.value = property.value;
    else {
      this.hasRunCode = true;
      const { value, mark } = runGetter(getter, object, key, context, isRequested);
      this.value = value;
      this.mark = mark;
    }
    if (typeof this.value === 'function' && isMethod(this.value) && this.hidesMethods()) return false;
    if (secrecy === noSecret && typeof key === 'string' && siblingMarksSecret(object, key, this.value, secrecyOf))
      this.secrecy = textsSecret;
    else if (secrecy === textsSecret && isTokenizerList(key, this.value)) this.secrecy = noSecret;
    return true;
  }
}
