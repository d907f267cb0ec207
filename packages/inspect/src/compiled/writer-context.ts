import type { Masking } from '../masking/masking.ts';
import type { SecretFinder } from '../masking/secrets.ts';
import type { Ancestors } from './ancestors.ts';
import type { EntryKey } from './encoded-key.ts';

/** A writer as the code for each kind of container sees it. */
export interface WriterContext {
  /** Changes with each chunk: other code may have run since, so what was known of prototypes must be checked again. */
  readonly epoch: number;
  /** How many entries of each container are shown. */
  readonly limit: number;
  readonly textLimit: number;
  readonly masking: Masking;
  readonly secrets: SecretFinder;
  readonly ancestors: Ancestors;
  readonly stacks: boolean;
  truncated: boolean;
  hides(key: string): boolean;

  /** Writes any value as an entry; false when the writer must stop. */
  value(value: unknown, cache: InlineCache, entryKey: EntryKey): boolean;
  /** Writes an object as an entry; false when the writer must stop. */
  enter(object: object, cache: InlineCache, entryKey: EntryKey): boolean;
  enterShape(object: object, shape: Shape, entryKey: EntryKey): boolean;
  /** Writes an entry whose text has been masked and cut. */
  entryShown(text: string, entryKey: EntryKey): void;
  /** Whether the object is of this shape, and the shape can be used. */
  isOfShape(object: object, shape: Shape): boolean;
  /** Counts a container as open; false if it is an ancestor or too deep, then a marker is written in its place. */
  beginContainer(object: object, entryKey: EntryKey): boolean;
  /** Whether the object is an open container; if so, writes a reference to it. */
  writeIfAncestor(object: object, entryKey: EntryKey): boolean;
  openObject(entryKey: EntryKey): void;
  openList(entryKey: EntryKey): void;
  closeObject(entryKey: EntryKey): boolean;
  closeList(entryKey: EntryKey): boolean;
  /** Close a container early, saying how much is missing. */
  cutObject(remaining: number, entryKey: EntryKey, has: (key: string) => boolean): boolean;
  cutList(remaining: number, entryKey: EntryKey): boolean;
  /** Written in place of a value that was not begun when the document was cut. */
  cutEntry(entryKey: EntryKey): void;

  hasRoom(): boolean;
  /** Saves where to resume, on the way back to the top of the call stack. */
  stop(frame: Frame): false;
  /** The same, but ends the chunk even if nothing was written. */
  pause(frame: Frame): false;
  compiled(shape: Shape): CompiledWriter;
  /** Whether a property that is not read is one that would be shown. */
  isShown(object: object, key: string): boolean;
  /** A key without the secrets it may hold. */
  maskedKey(key: string): string;
}

/** Where to resume a container that is not complete. All frames together are the whole state of a document. */
export interface Frame {
  /** Continues; false when the writer must stop again. */
  resume(writer: WriterContext): boolean;
  /** Ends the container early, saying what is missing. */
  cut(writer: WriterContext): void;
  /** Releases what it holds. */
  close?(): void;
}

/** Objects of one prototype with the same own keys in the same order, and the code that writes them. */
export interface Shape {
  readonly prototype: object;
  /** What was known of the prototype when the shape was made. The shape is valid only as long as this is. */
  readonly facts: object;
  /** The epoch in which the shape was last found to be usable. */
  epoch: number;
  /** The own keys, then the getters of the classes. */
  readonly properties: readonly string[];
  readonly matches: Matcher;
  /** Whether reading the own properties of an object that matches calls no proxy. */
  readonly hasNoProxiedGetter: Matcher;
  readonly json: CompiledWriter;
  readonly xml: CompiledWriter;
  /** Whether it has no more properties than the limit allows, and no key with a secret in it. */
  respectsOptionsOf(writer: Pick<WriterContext, 'limit' | 'masking'>): boolean;
}

/** Whether an object has exactly the own keys of a shape, and nothing that would make it more than its properties. */
export type Matcher = (object: object) => boolean;

/**
 * Writes an object of one shape, from the property with the given number on. False when the writer must stop for now:
 * then the object was saved with the number of the property to go on from, unless it was complete.
 */
export type CompiledWriter = (writer: WriterContext, object: object, from: number, entryKey: EntryKey) => boolean;

/** What is left to write of a document: a frame for each open container. */
export class FrameStack {
  readonly #frames: Frame[] = [];
  /** Frames of the calls that are returning to the top, the innermost first. */
  readonly #unwound: Frame[] = [];

  /** Adds the frame of a call that returns before its container is complete. */
  unwind(frame: Frame): void {
    this.#unwound.push(frame);
  }

  /** Called at the top of the call stack: the innermost frame is resumed next. */
  commitUnwound(): void {
    for (let frame = this.#unwound.pop(); frame !== undefined; frame = this.#unwound.pop()) this.#frames.push(frame);
  }

  get isEmpty(): boolean {
    return this.#frames.length === 0 && this.#unwound.length === 0;
  }

  next(): Frame | undefined {
    return this.#frames.pop();
  }

  abandon(): void {
    for (const frame of this.#frames) frame.close?.();
    if (this.#frames.length > 0) this.#frames.length = 0;
    if (this.#unwound.length > 0) this.#unwound.length = 0;
  }
}

/** Items of lists within lists share one cache from this level on, so that caches stay few. */
const maxElementLevel = 3;

const maxShapes = 4;

/** The shapes last found in one place, such as one property of one class. */
export class InlineCache {
  /** The shape found last. */
  shape: Shape | undefined;
  /** A few that were found before it. */
  readonly others: Shape[] = [];
  /** The epoch in which a list found here was seen to be safe to read. */
  listsCheckedIn = 0;
  readonly #level: number;
  #element: InlineCache | undefined;

  constructor(level = 0) {
    this.#level = level;
  }

  /** The cache for the items or values inside a container found here. */
  get element(): InlineCache {
    this.#element ??= this.#level < maxElementLevel ? new InlineCache(this.#level + 1) : this;
    return this.#element;
  }

  add(shape: Shape): void {
    if (this.shape !== undefined && !this.others.includes(this.shape)) {
      this.others.unshift(this.shape);
      this.others.length = Math.min(this.others.length, maxShapes);
    }
    this.shape = shape;
  }
}
