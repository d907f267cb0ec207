import type { Masking } from '../masking/masking.ts';
import type { SecretFinder } from '../masking/secrets.ts';
import type { Ancestors } from './ancestors.ts';
import type { EntryKey } from './encoded-key.ts';

/** A writer as the code for each kind of container sees it. */
export interface WriterContext {
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
  /** Counts a container as open, unless it is an ancestor or too deep, which is then written in its place. */
  beginContainer(object: object, entryKey: EntryKey): boolean;
  /** Whether the object is an open container; then the way to it is written. */
  writeIfAncestor(object: object, entryKey: EntryKey): boolean;
  openObject(entryKey: EntryKey): void;
  openList(entryKey: EntryKey): void;
  closeObject(entryKey: EntryKey): boolean;
  closeList(entryKey: EntryKey): boolean;
  /** Close a container early, saying how much is missing. */
  cutObject(remaining: number, entryKey: EntryKey, has: (key: string) => boolean): boolean;
  cutList(remaining: number, entryKey: EntryKey): boolean;
  /** In the place of a value that was not begun when the document was cut. */
  cutEntry(entryKey: EntryKey): void;

  hasRoom(): boolean;
  /** Notes where to go on, on the way back to the top. */
  stop(frame: Frame): false;
  /** The same, to give the event loop its turn though nothing was written. */
  pause(frame: Frame): false;
  compiled(shape: Shape): CompiledWriter;
  /** Whether a property that is not read is one that would be shown. */
  isShown(object: object, key: string): boolean;
  /** A key without the secrets it may hold. */
  maskedKey(key: string): string;
}

/** A container that is not finished, as it was left. All frames together are the whole state of a document. */
export interface Frame {
  /** Goes on; false when the writer must stop again. */
  resume(writer: WriterContext): boolean;
  /** Ends the container early, saying what is missing. */
  cut(writer: WriterContext): void;
  /** Lets go of what it holds. */
  close?(): void;
}

/** Objects of one prototype with the same own keys in the same order, and the code that writes them. */
export interface Shape {
  readonly prototype: object;
  /** What was known of the prototype when the shape was made; it holds only as long as that does. */
  readonly facts: object;
  /** The last document in which that was found to hold, and the shape to suit. */
  epoch: number;
  /** The own keys, then the getters of the classes. */
  readonly properties: readonly string[];
  readonly matches: Matcher;
  /** Whether reading the own properties of an object that matches calls no proxy. */
  readonly hasNoProxiedGetter: Matcher;
  readonly json: CompiledWriter;
  readonly xml: CompiledWriter;
  /** Whether its code keeps to what the writer was told. */
  respectsOptionsOf(writer: Pick<WriterContext, 'limit' | 'masking'>): boolean;
}

/** Whether an object has exactly the own keys of a shape, and nothing that would make it more than its properties. */
export type Matcher = (object: object) => boolean;

/**
 * Writes an object of one shape, from the property with the given number on. False when the writer must stop for now:
 * then the object was saved with the number of the property to go on from, unless it was complete.
 */
export type CompiledWriter = (writer: WriterContext, object: object, from: number, entryKey: EntryKey) => boolean;

/** What is left to be written of a document that stopped on the way: a frame for each container that is open. */
export class FrameStack {
  readonly #frames: Frame[] = [];
  /** The frames frame since the last return to the top, the innermost first. */
  readonly #unwound: Frame[] = [];

  /** Called by each call on its way back to the top. */
  unwind(frame: Frame): void {
    this.#unwound.push(frame);
  }

  /** Called at the top: the innermost frame will be the next. */
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
