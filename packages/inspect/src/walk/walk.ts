import { cursorOf } from '../entries/entries.ts';
import type { EntryCursor, ReadOptions } from '../entries/entry-cursor.ts';
import { allSecret, noSecret } from '../masking/secret-key.ts';
import { type EntryMark, moreKey } from '../objects/markers.ts';
import { type Link, pointerOf } from './pointer.ts';
import type { OutlineKind, ShownOptions, ShownScalar } from './shown-scalar.ts';
import { type Part, type ShownContainer, shownValue } from './shown-value.ts';

/** How many steps without code of a bean are done before the time is checked, which costs as much as a step. */
const stepsBetweenChecks = 8;

/** An object with more values below it is shown once, and as a reference after that. */
const manyValues = 100;

/** Kinds of objects that need no further search for secrets. */
const plainKinds: ReadonlySet<OutlineKind> = new Set(['date', 'binary', 'reference']);

export interface WalkOptions extends ShownOptions {
  /** The JSON Pointer of the root of the walk. */
  readonly at: string;
  /** Whether errors show their stack. */
  readonly stacks: boolean;
  /** The places of the parent containers and of large ones before; the walk adds those that it opens. */
  readonly places: Map<object, Link>;
}

/** The position of a walk. */
export interface Place {
  /** The key of an entry; undefined for list items and the root. */
  readonly name: string | undefined;
  /** The key or index. */
  readonly key: string | number;
  /** Why the value is a marker; undefined if it is none. */
  readonly mark: EntryMark | undefined;
  readonly depth: number;
  pointer(): string;
}

/** The entries of a container to visit. */
export interface Page {
  readonly from: number;
  readonly limit: number;
}

/** Receives what a walk finds. */
export interface Visitor {
  value(shown: ShownScalar, place: Place): void;
  /** Returns undefined to leave the container closed. */
  open(shown: ShownContainer, place: Place, cursor: EntryCursor): Page | undefined;
  /** Called after the last entry. `left`: entries not visited; `moreKey`: an unused key for their marker, '' if there are none. */
  close(left: number, moreKey: string): void;
}

/** An open container, and its place. */
interface Frame extends Link {
  readonly shown: ShownContainer;
  readonly cursor: EntryCursor;
  readonly parent: Frame | undefined;
  /** How many values were found before it. */
  readonly valuesBefore: number;
  readonly limit: number;
  /** How many entries are still to be skipped. */
  skip: number;
  visited: number;
  /** Whether its objects are in `places`. */
  isPlaced: boolean;
}

/** Visits a live value depth first, in small steps, so that it can stop anywhere. */
export class Walk implements Place {
  readonly #visitor: Visitor;
  readonly #options: WalkOptions;
  readonly #readOptions: ReadOptions;
  #innermost: Frame | undefined;
  #values = 0;
  /** Whether secrets may be elsewhere in the document: anything was secret, or was not shown by its own entries. */
  needsScan = false;
  depth = 0;
  name: string | undefined;
  key: string | number = '';
  mark: EntryMark | undefined;

  constructor(part: Part, options: WalkOptions, visitor: Visitor) {
    const { context, masking, stacks } = options;
    this.#options = options;
    this.#visitor = visitor;
    const pathTo = (key: string | number) => this.#pointerOf(key);
    const secrecyOf = (key: string | number) => masking.secrecyOf(key, pathTo, this.#innermost?.shown.secrecy);
    this.#readOptions = { context, secrecyOf, stacks };
    this.#visit(part);
  }

  /** Works until the time is up; returns whether the walk is complete. */
  run(isTimeUp: () => boolean): boolean {
    for (let steps = 1; this.step(); steps++) {
      const isChecked = steps % stepsBetweenChecks === 0 || this.#innermost?.cursor.hasRunCode === true;
      if (isChecked && isTimeUp()) return false;
    }
    return true;
  }

  /** Does one step; false when the walk is complete. */
  step(): boolean {
    const frame = this.#innermost;
    if (frame === undefined) return false;
    if (frame.cursor.isUnreached) this.#leave(frame, true);
    else if (frame.skip > 0) this.#skip(frame);
    else if (frame.visited >= frame.limit) this.#leave(frame, true);
    else if (frame.cursor.next()) this.#enter(frame);
    else this.#leave(frame, false);
    return true;
  }

  /** Ends early, and closes every open container. */
  cut(): void {
    for (let frame = this.#innermost; frame !== undefined; frame = this.#innermost) this.#leave(frame, true);
  }

  /** Releases everything at once. */
  abandon(): void {
    for (; this.#innermost !== undefined; this.#innermost = this.#innermost.parent) this.#innermost.cursor.close();
  }

  pointer(): string {
    return this.#innermost === undefined ? this.#options.at : this.#pointerOf(this.key);
  }

  #skip(frame: Frame): void {
    const skipped = frame.cursor.skip(frame.skip);
    frame.visited += skipped;
    this.#values += skipped;
    frame.skip = skipped === 0 ? 0 : frame.skip - skipped;
  }

  #enter(frame: Frame): void {
    const { cursor } = frame;
    const { masking } = this.#options;
    const { key, value } = cursor;
    frame.visited++;
    this.#values++;
    this.key = key;
    this.name = typeof key === 'string' ? key : undefined;
    this.mark = cursor.mark;
    if (masking.needsPaths && masking.hidesEntry(key, value, () => this.#pointerOf(key))) cursor.secrecy = allSecret;
    if (cursor.secrecy !== noSecret) this.needsScan = true;
    if (!frame.isPlaced && value !== null && (typeof value === 'object' || typeof value === 'function'))
      this.#place(frame);
    this.#visit(cursor);
  }

  #visit(part: Part): void {
    const shown = shownValue(part, this.key, this.#options);
    if (shown.container !== undefined) this.#open(shown);
    else {
      if (typeof part.value === 'object' && part.value !== null && !plainKinds.has(shown.kind)) this.needsScan = true;
      this.#visitor.value(shown, this);
    }
  }

  #open(shown: ShownContainer): void {
    const cursor = cursorOf(shown.container, this.#readOptions, shown.kind);
    if (shown.identities.length > 1) this.needsScan = true;
    const page = this.#visitor.open(shown, this, cursor);
    if (page === undefined) return;
    const { from, limit } = page;
    const parent = this.#innermost;
    const key = parent === undefined ? this.#options.at : this.key;
    const valuesBefore = this.#values;
    this.#innermost = {
      key,
      parent,
      shown,
      cursor,
      valuesBefore,
      limit: from + limit,
      skip: from,
      visited: 0,
      isPlaced: false,
    };
    this.depth++;
  }

  /** Called before the first object in the container is visited, since most containers have none. */
  #place(frame: Frame): void {
    for (const identity of frame.shown.identities) this.#options.places.set(identity, frame);
    frame.isPlaced = true;
  }

  #leave(frame: Frame, isCut: boolean): void {
    const { shown, cursor, valuesBefore, visited, parent } = frame;
    const left = isCut ? Math.max(0, cursor.size - visited) : 0;
    this.#values += left;
    if (this.#values - valuesBefore > manyValues) this.#place(frame);
    else if (frame.isPlaced) for (const identity of shown.identities) this.#options.places.delete(identity);
    this.#innermost = parent;
    this.depth--;
    if (isCut) cursor.close();
    this.#visitor.close(left, left > 0 ? unusedKey(cursor) : '');
  }

  /** The place of an entry of the innermost container. */
  #pointerOf(key: string | number): string {
    return pointerOf({ parent: this.#innermost, key }, this.#options.masking);
  }
}

/** A key that the container does not use. */
function unusedKey(cursor: EntryCursor): string {
  let key = moreKey;
  while (cursor.has(key)) key = `_${key}`;
  return key;
}
