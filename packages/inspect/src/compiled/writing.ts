import type { Masking } from '../masking/masking.ts';
import type { SecretFinder } from '../masking/secret-finder.ts';
import type { Ancestors } from './ancestors.ts';
import type { Label } from './label.ts';

/** A writer as the code for each kind of container sees it. */
export interface Writing {
  readonly document: number;
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
  value(value: unknown, site: Site, label: Label | string): boolean;
  /** Writes an object as an entry; false when the writer must stop. */
  enter(object: object, site: Site, label: Label | string): boolean;
  enterShape(object: object, shape: Shape, label: Label | string): boolean;
  /** Writes an entry whose text has been masked and cut. */
  entryShown(text: string, label: Label | string): void;
  /** Whether the object is of this shape, and the shape can be used. */
  fits(object: object, shape: Shape): boolean;
  /** Counts a container as open, unless it is an ancestor or too deep, which is then written in its place. */
  begin(object: object, label: Label | string): boolean;
  /** Whether the object is an open container; then the way to it is written. */
  refers(object: object, label: Label | string): boolean;
  openObject(label: Label | string): void;
  openList(label: Label | string): void;
  closeObject(label: Label | string): boolean;
  closeList(label: Label | string): boolean;
  /** Close a container early, saying how much is missing. */
  cutObject(remaining: number, label: Label | string, has: (key: string) => boolean): boolean;
  cutList(remaining: number, label: Label | string): boolean;
  /** In the place of a value that was not begun when the document was cut. */
  cutEntry(label: Label | string): void;

  hasRoom(): boolean;
  /** Notes where to go on, on the way back to the top. */
  stop(frame: Frame): false;
  /** The same, to give the event loop its turn though nothing was written. */
  pause(frame: Frame): false;
  compiled(shape: Shape): CompiledWriter;
  /** Whether a property that is not read is one that would be shown. */
  shows(object: object, key: string): boolean;
  /** A key without the secrets it may hold. */
  shownKey(key: string): string;
}

/** A container that is not finished, as it was left. All frames together are the whole state of a document. */
export interface Frame {
  /** Goes on; false when the writer must stop again. */
  resume(writer: Writing): boolean;
  /** Ends the container early, saying what is missing. */
  cut(writer: Writing): void;
  /** Lets go of what it holds. */
  close?(): void;
}

/** A place where values are found, such as one property of one class, and the shapes that were found there. */
export interface Site {
  /** The shape found last. */
  readonly shape: Shape | undefined;
  readonly others: readonly Shape[];
  /** The site of the items or values inside a container found here. */
  readonly element: Site;
  /** The piece of a document in which a list found here was seen to be safe to read. */
  listsRead: number;
  remember(shape: Shape): void;
}

/** Objects of one prototype with the same own keys in the same order, and the code that writes them. */
export interface Shape {
  readonly prototype: object;
  /** What was known of the prototype when the shape was made; it holds only as long as that does. */
  readonly facts: object;
  /** The last document in which that was found to hold, and the shape to suit. */
  document: number;
  /** The own keys, then the getters of the classes. */
  readonly properties: readonly string[];
  readonly matches: Matcher;
  /** Whether reading the own properties of an object that matches calls no proxy. */
  readonly canRead: Matcher;
  readonly json: CompiledWriter;
  readonly xml: CompiledWriter;
  /** Whether its code keeps to what the writer was told. */
  suits(writer: Pick<Writing, 'limit' | 'masking'>): boolean;
}

/** Whether an object has exactly the own keys of a shape, and nothing that would make it more than its properties. */
export type Matcher = (object: object) => boolean;

/**
 * Writes an object of one shape, from the property with the given number on. False when the writer must stop for now:
 * then the object was saved with the number of the property to go on from, unless it was complete.
 */
export type CompiledWriter = (writer: Writing, object: object, from: number, label: Label | string) => boolean;
