import type { EntryCursor } from '../entries/entry-cursor.ts';
import type { ResolvedOptions } from '../inspection-options.ts';
import type { Masking } from '../masking/masking.ts';
import { depthMarker, moreMarker } from '../objects/markers.ts';
import { shownText } from '../objects/shown-text.ts';
import type { ShownScalar } from '../walk/shown-scalar.ts';
import type { ShownContainer } from '../walk/shown-value.ts';
import type { Page, Place, Visitor } from '../walk/walk.ts';

export type WriterOptions = Pick<ResolvedOptions, 'depth' | 'limit' | 'from' | 'text' | 'pretty' | 'glance'>;

/** Keys are cut like texts, within these bounds. */
const shortestCutKey = 200;
const longestKey = 64 * 1024;
/** After how many characters the parts of a text are joined, which is faster than joining all of a long document at its end. */
export const joinedLength = 16 * 1024;
/** How many encoded keys are cached. */
const maxKeys = 1000;

/** Writes what a walk finds. Subclasses write JSON and XML. */
export abstract class TextWriter implements Visitor {
  /** Whether anything was left out so far. */
  truncated = false;
  protected output = '';
  protected depth = 0;
  protected readonly space: string;
  readonly #options: WriterOptions;
  readonly #masking: Masking;
  /** The page of every container but the outermost. */
  readonly #page: Page;
  #keys: Map<string, string> | undefined;

  constructor(options: WriterOptions, masking: Masking) {
    this.#options = options;
    this.#masking = masking;
    this.#page = { from: 0, limit: options.limit };
    this.space = options.pretty ? ' ' : '';
  }

  /**
   * @param isText false for numbers, booleans and null, which are written as they are
   * @param key the encoded key; empty for an item of a list
   */
  protected abstract scalar(text: string, isText: boolean, key: string): void;
  protected abstract start(isList: boolean, key: string): void;
  protected abstract end(): void;
  protected abstract encodedKey(key: string): string;

  get length(): number {
    return this.output.length;
  }

  /** Returns what was written since the last call. */
  take(): string {
    const { output } = this;
    // V8 joins the parts of a text when one of its characters is read, which frees them.
    if (output.length >= joinedLength) output.charCodeAt(0);
    this.output = '';
    return output;
  }

  value(shown: ShownScalar, { name }: Place): void {
    const { literal, left, kind } = shown;
    const key = name === undefined ? '' : this.#key(name);
    if (literal !== undefined) this.scalar(kind === 'date' ? String(literal) : shown.text, false, key);
    else if (left === 0) this.scalar(shown.text, true, key);
    else {
      this.truncated = true;
      this.scalar(shown.text + moreMarker(left), true, key);
    }
  }

  open(_shown: ShownContainer, { name, depth }: Place, { isList }: EntryCursor): Page | undefined {
    const { depth: maxDepth, from, limit } = this.#options;
    const key = name === undefined ? '' : this.#key(name);
    if (depth >= maxDepth) {
      this.truncated = true;
      this.scalar(depthMarker, true, key);
      return undefined;
    }
    this.start(isList, key);
    this.depth++;
    return depth === 0 ? { from, limit } : this.#page;
  }

  close(left: number, moreKey: string): void {
    if (left > 0) {
      this.truncated = true;
      this.scalar(moreMarker(left), true, this.encodedKey(moreKey));
    }
    this.depth--;
    this.end();
  }

  /** What comes before an entry or an end, if the document is indented. */
  protected newLine(): string {
    const { pretty, glance } = this.#options;
    // With a glance, the document is inside of another object.
    return pretty ? `\n${'  '.repeat(this.depth + (glance ? 1 : 0))}` : '';
  }

  #key(name: string): string {
    if (this.depth < 2) return this.encodedKey(this.#shownKey(name));
    this.#keys ??= new Map();
    let key = this.#keys.get(name);
    if (key === undefined) {
      key = this.encodedKey(this.#shownKey(name));
      if (this.#keys.size >= maxKeys) this.#keys.clear();
      this.#keys.set(name, key);
    }
    return key;
  }

  #shownKey(name: string): string {
    if (name.length <= shortestCutKey) return this.#masking.key(name);
    const longest = Math.max(shortestCutKey, Math.min(this.#options.text, longestKey));
    if (name.length <= longest) return this.#masking.key(name);
    this.truncated = true;
    const { text: beginning, left } = shownText(name, longest, this.#masking);
    return `${beginning}${moreMarker(left)}`;
  }
}
