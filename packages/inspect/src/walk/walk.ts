import type { Container, ReadOptions } from '../entries/container.ts';
import { containerOf } from '../entries/entries.ts';
import { everything, nothing } from '../masking/secret-key.ts';
import { type EntryMark, moreKey } from '../objects/markers.ts';
import { type Link, pointerOf } from './pointer.ts';
import type { OutlineKind, ShownOptions, ShownScalar } from './shown-scalar.ts';
import { type Part, type ShownContainer, shownValue } from './shown-value.ts';

/** How many steps without code of a bean are done before the time is checked, which costs as much as a step. */
const stepsBetweenChecks = 8;

/** An object with more values below it is shown once, and as a reference after that. */
const manyValues = 100;

/** Objects that are shown as a scalar. */
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
  /** Why the value is a marker. */
  readonly mark: EntryMark | undefined;
  /** The depth. */
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
  /** Undefined to leave the container closed. */
  open(shown: ShownContainer, place: Place, container: Container): Page | undefined;
  /** Called after the last entry. `left`: entries not visited; `moreKey`: an unused key for their marker, '' if there are none. */
  close(left: number, moreKey: string): void;
}

/** An open container, and its place. */
interface Frame extends Link {
  readonly shown: ShownContainer;
  readonly container: Container;
  readonly around: Frame | undefined;
  /** How many values were found before it. */
  readonly before: number;
  readonly limit: number;
  /** How many entries are still to be skipped. */
  skip: number;
  count: number;
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
      const isChecked = steps % stepsBetweenChecks === 0 || this.#innermost?.container.hasRunCode === true;
      if (isChecked && isTimeUp()) return false;
    }
    return true;
  }

  /** Does one step; false when the walk is complete. */
  step(): boolean {
    const frame = this.#innermost;
    if (frame === undefined) return false;
    if (frame.container.isUnreached) this.#leave(frame, true);
    else if (frame.skip > 0) this.#skip(frame);
    else if (frame.count >= frame.limit) this.#leave(frame, true);
    else if (frame.container.next()) this.#enter(frame);
    else this.#leave(frame, false);
    return true;
  }

  /** Ends early, and closes every open container. */
  cut(): void {
    for (let frame = this.#innermost; frame !== undefined; frame = this.#innermost) this.#leave(frame, true);
  }

  /** Releases everything at once. */
  abandon(): void {
    for (; this.#innermost !== undefined; this.#innermost = this.#innermost.around) this.#innermost.container.close();
  }

  pointer(): string {
    return this.#innermost === undefined ? this.#options.at : this.#pointerOf(this.key);
  }

  #skip(frame: Frame): void {
    const skipped = frame.container.skip(frame.skip);
    frame.count += skipped;
    this.#values += skipped;
    frame.skip = skipped === 0 ? 0 : frame.skip - skipped;
  }

  #enter(frame: Frame): void {
    const { container } = frame;
    const { masking } = this.#options;
    const { key, value } = container;
    frame.count++;
    this.#values++;
    this.key = key;
    this.name = typeof key === 'string' ? key : undefined;
    this.mark = container.mark;
    if (masking.needsPaths && masking.hidesEntry(key, value, () => this.#pointerOf(key)))
      container.secrecy = everything;
    if (container.secrecy !== nothing) this.needsScan = true;
    if (!frame.isPlaced && value !== null && (typeof value === 'object' || typeof value === 'function'))
      this.#place(frame);
    this.#visit(container);
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
    const container = containerOf(shown.container, this.#readOptions, shown.kind);
    if (shown.identities.length > 1) this.needsScan = true;
    const page = this.#visitor.open(shown, this, container);
    if (page === undefined) return;
    const { from, limit } = page;
    const around = this.#innermost;
    const key = around === undefined ? this.#options.at : this.key;
    const before = this.#values;
    this.#innermost = {
      key,
      around,
      shown,
      container,
      before,
      limit: from + limit,
      skip: from,
      count: 0,
      isPlaced: false,
    };
    this.depth++;
  }

  /** Only before an object in it is looked up: most containers have none. */
  #place(frame: Frame): void {
    for (const identity of frame.shown.identities) this.#options.places.set(identity, frame);
    frame.isPlaced = true;
  }

  #leave(frame: Frame, isCut: boolean): void {
    const { shown, container, before, count, around } = frame;
    const left = isCut ? Math.max(0, container.size - count) : 0;
    this.#values += left;
    if (this.#values - before > manyValues) this.#place(frame);
    else if (frame.isPlaced) for (const identity of shown.identities) this.#options.places.delete(identity);
    this.#innermost = around;
    this.depth--;
    if (isCut) container.close();
    this.#visitor.close(left, left > 0 ? freeKey(container) : '');
  }

  /** The place of an entry of the innermost container. */
  #pointerOf(key: string | number): string {
    return pointerOf({ around: this.#innermost, key }, this.#options.masking);
  }
}

/** A key that the container does not use. */
function freeKey(container: Container): string {
  let key = moreKey;
  while (container.has(key)) key = `_${key}`;
  return key;
}
