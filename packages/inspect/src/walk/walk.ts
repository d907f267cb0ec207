import { everything, nothing } from '../masking/secret-key.ts';
import type { Container, ReadOptions } from './container.ts';
import { containerOf } from './entries.ts';
import type { EntryMark } from './markers.ts';
import type { OutlineKind } from './outline-kinds.ts';
import { type Link, pointerOf } from './pointer.ts';
import { type Part, type ShownContainer, type ShownOptions, type ShownScalar, shownValue } from './shown-value.ts';

/** An object with more values below it than these is shown once; where it comes again, a reference to its first place is. */
const manyValues = 100;

/** Objects that are one value, and hold nothing else. */
const plainKinds: ReadonlySet<OutlineKind> = new Set(['date', 'binary', 'reference']);

export interface WalkOptions extends ShownOptions {
  /** The JSON Pointer of the value that the walk begins at. */
  readonly at: string;
  /** Whether errors show their stack. */
  readonly stacks: boolean;
  /** Where the containers around the value are, and large ones before it; the walk adds what it opens. */
  readonly places: Map<object, Link>;
}

/** Where a walk is. */
export interface Place {
  /** Of an entry; undefined for an item of a list and for the root. */
  readonly name: string | undefined;
  /** The same, or the index of an item. */
  readonly key: string | number;
  /** Why the value is a marker. */
  readonly mark: EntryMark | undefined;
  /** How many containers are around it. */
  readonly depth: number;
  pointer(): string;
}

/** Which entries of a container to go through. */
export interface Page {
  readonly from: number;
  readonly limit: number;
}

/** Is told what a walk finds. */
export interface Visitor {
  value(shown: ShownScalar, place: Place): void;
  /** Undefined where the container stays closed. */
  open(shown: ShownContainer, place: Place, container: Container): Page | undefined;
  /** After the last entry of what was opened: how many are left, and a key for saying so that the container does not have. */
  close(left: number, freeKey: () => string): void;
}

/** A container that is open. */
interface Frame {
  readonly shown: ShownContainer;
  readonly container: Container;
  readonly link: Link;
  readonly around: Frame | undefined;
  /** How many values were found before those in it. */
  readonly before: number;
  readonly limit: number;
  /** How many entries are still to be passed over. */
  skip: number;
  count: number;
}

/** Goes through a live value step by step, depth first, with a stack of its own, so that it can stop anywhere. */
export class Walk implements Place {
  readonly #visitor: Visitor;
  readonly #options: WalkOptions;
  readonly #readOptions: ReadOptions;
  #innermost: Frame | undefined;
  #values = 0;
  /** Whether anything was secret, or an object not shown by its own entries, which may tell of secrets too. */
  hasSecrets = false;
  depth = 0;
  name: string | undefined;
  key: string | number = '';
  mark: EntryMark | undefined;

  constructor(part: Part, options: WalkOptions, visitor: Visitor) {
    const { masking, stacks } = options;
    this.#options = options;
    this.#visitor = visitor;
    const pathTo = (key: string | number) => this.#pointerOf(key);
    const secrecyOf = (key: string | number) => masking.secrecyOf(key, pathTo, this.#innermost?.shown.secrecy);
    this.#readOptions = { secrecyOf, stacks };
    this.#visit(part);
  }

  /** Does one small step; false when there is nothing left to do. */
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

  /** Ends early: every open container is closed, with what is left of it. */
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
    if (container.secrecy !== nothing) this.hasSecrets = true;
    this.#visit(container);
  }

  #visit(part: Part): void {
    const shown = shownValue(part, this.key, this.#options);
    if ('container' in shown) this.#open(shown);
    else {
      if (typeof part.value === 'object' && part.value !== null && !plainKinds.has(shown.kind)) this.hasSecrets = true;
      this.#visitor.value(shown, this);
    }
  }

  #open(shown: ShownContainer): void {
    const container = containerOf(shown.container, this.#readOptions, shown.kind);
    if (shown.identities.length > 1) this.hasSecrets = true;
    const page = this.#visitor.open(shown, this, container);
    if (page === undefined) return;
    const { from, limit } = page;
    const around = this.#innermost;
    const link: Link = { around: around?.link, key: around === undefined ? this.#options.at : this.key };
    for (const identity of shown.identities) this.#options.places.set(identity, link);
    const before = this.#values;
    this.#innermost = { shown, container, link, around, before, limit: from + limit, skip: from, count: 0 };
    this.depth++;
  }

  #leave({ shown, container, before, count, around }: Frame, isCut: boolean): void {
    const left = isCut ? Math.max(0, container.size - count) : 0;
    this.#values += left;
    if (this.#values - before <= manyValues)
      for (const identity of shown.identities) this.#options.places.delete(identity);
    this.#innermost = around;
    this.depth--;
    if (isCut) container.close();
    this.#visitor.close(left, () => freeKey(container));
  }

  /** Of an entry of the innermost container. */
  #pointerOf(key: string | number): string {
    return pointerOf({ around: this.#innermost?.link, key }, this.#options.masking);
  }
}

/** A key for a marker that the container does not have itself. */
function freeKey(container: Container): string {
  let key = '_more';
  while (container.has(key)) key = `_${key}`;
  return key;
}
