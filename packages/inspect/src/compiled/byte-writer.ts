import { types } from 'node:util';
import { type ChunkSource, maxSliceMs } from '../chunks.ts';
import type { ResolvedOptions } from '../inspection-options.ts';
import type { Masking } from '../masking/masking.ts';
import { isSecretKey } from '../masking/secret-key.ts';
import { maskMark, type SecretFinder } from '../masking/secrets.ts';
import { handlingCreatedPromises } from '../walk/bean-code.ts';
import {
  depthMarker,
  functionMarker,
  moreKey,
  moreMarker,
  proxyMarker,
  referenceMarker,
  threwMarker,
} from '../walk/markers.ts';
import { findProperty, isReadable } from '../walk/reflection.ts';
import { shownBigInt, shownText } from '../walk/shown-text.ts';
import { Ancestors } from './ancestors.ts';
import { atSign, ByteOutput, escapeSign, special } from './byte-output.ts';
import { hasProxiedItem, isPlainArray, shapeFrame, writeItems } from './containers.ts';
import { type EncodedKey, type EntryKey, itemKey } from './encoded-key.ts';
import { enterObject } from './enter-object.ts';
import { isCurrent, mayBeBuiltIn } from './shapes.ts';
import {
  type CompiledWriter,
  type Frame,
  FrameStack,
  InlineCache,
  type Shape,
  type WriterContext,
} from './writer-context.ts';

/** Containers that are written by nested calls before all of them are saved as frames. */
const maxNestedCalls = 64;
/** Objects that are entered between two looks at the clock, until a look has found that they take long. */
const objectsPerLook = 16;
const neverLook = 2 ** 30;

let epochs = 0;

/**
 * Writes a document as bytes, by nested calls. When the output is full or the calls are nested too deeply, every call
 * saves a frame and returns; later the frames are resumed, the innermost first.
 */
export abstract class ByteWriter extends ByteOutput implements ChunkSource, WriterContext {
  truncated = false;
  epoch = 0;
  limit = 0;
  textLimit = 0;
  masking!: Masking;
  secrets!: SecretFinder;
  shortestSecret = 0;
  hasNumbers = false;
  readonly stacks = false;
  readonly hides = isSecretKey;
  readonly ancestors = new Ancestors();
  /** Outlives the document, so that the next one finds the shape of its root. */
  readonly #rootCache = new InlineCache();
  readonly #frames = new FrameStack();
  #depthLimit = 0;
  #calls = 0;
  #isPaused = false;
  #objectsPerLook = objectsPerLook;
  #objectsUntilLook = 0;
  /** When the first look of this slice was; 0 before it. */
  #firstLook = 0;
  #isCut = false;
  #isOpen = false;
  /** Whether the document is wanted in one piece. */
  #isWhole = false;
  #isBegun = false;
  #root: unknown;

  /** Writes a text, with its quotes and separator in JSON. */
  abstract text(value: string): void;
  abstract number(value: number): void;
  abstract entryShown(text: string, entryKey: EntryKey): void;
  abstract entryText(value: string, entryKey: EntryKey): void;
  abstract entryNumber(value: number, entryKey: EntryKey): void;
  /** Writes a boolean or all digits of a number as an entry. */
  abstract entryWord(word: string, entryKey: EntryKey): void;
  abstract entryNull(entryKey: EntryKey): void;
  abstract openObject(entryKey: EntryKey): void;
  abstract openList(entryKey: EntryKey): void;
  abstract compiled(shape: Shape): CompiledWriter;
  protected abstract rootKey(value: unknown): EncodedKey;
  protected abstract endObject(entryKey: EntryKey): void;
  protected abstract endList(entryKey: EntryKey): void;
  protected abstract endDocument(): void;

  /** Begins a document. */
  start(value: unknown, options: ResolvedOptions, isWhole = false): void {
    this.limit = options.limit;
    this.textLimit = options.text;
    this.#depthLimit = options.depth;
    this.masking = options.masking;
    this.secrets = options.masking.secrets;
    this.shortestSecret = Math.min(this.secrets.shortest, options.text + 1);
    this.hasNumbers = this.secrets.hasNumbers;
    this.truncated = false;
    this.#isCut = false;
    this.#isOpen = true;
    this.#isWhole = isWhole;
    // Nobody waits for a slice of a document that is made at once and may take as long as it does.
    this.#objectsPerLook = isWhole && options.budget === Number.POSITIVE_INFINITY ? neverLook : objectsPerLook;
    this.#isBegun = false;
    this.#root = value;
  }

  next(): Buffer | undefined {
    return this.#isOpen ? handlingCreatedPromises(() => this.#next()) : undefined;
  }

  #next(): Buffer {
    this.epoch = ++epochs;
    this.#isPaused = false;
    this.#objectsUntilLook = this.#objectsPerLook;
    this.#firstLook = 0;
    if (!this.#isBegun) this.#beginContainer();
    while ((this.hasRoom() || (this.#isWhole && this.grow())) && !this.#isPaused) {
      const frame = this.#frames.next();
      if (frame === undefined) return this.#finish();
      this.#calls = 0;
      if (this.#isCut) frame.cut(this);
      else frame.resume(this);
      this.#frames.commitUnwound();
    }
    return this.takeAllButLast();
  }

  #beginContainer(): void {
    this.#isBegun = true;
    this.#calls = 0;
    this.value(this.#root, this.#rootCache, this.rootKey(this.#root));
    this.#root = undefined;
    this.#frames.commitUnwound();
  }

  cut(): void {
    this.#isCut = true;
  }

  abandon(): void {
    this.reset();
    this.#root = undefined;
    if (!this.#frames.isEmpty) handlingCreatedPromises(() => this.#frames.abandon());
    this.ancestors.clear();
    this.#isOpen = false;
  }

  #finish(): Buffer {
    this.endDocument();
    this.#isOpen = false;
    return this.takeAll();
  }

  hasRoom(): boolean {
    return this.position <= this.full;
  }

  stop(frame: Frame): false {
    this.#frames.unwind(frame);
    return false;
  }

  pause(frame: Frame): false {
    this.#isPaused = true;
    return this.stop(frame);
  }

  save(shape: Shape, object: object, from: number, entryKey: EntryKey): void {
    this.#frames.unwind(shapeFrame(shape, object, from, entryKey));
  }

  value(value: unknown, cache: InlineCache, entryKey: EntryKey): boolean {
    if (typeof value === 'string') this.entryText(value, entryKey);
    else if (typeof value === 'number') this.entryNumber(value, entryKey);
    else if (typeof value === 'object' && value !== null) return this.enter(value, cache, entryKey);
    else this.otherPrimitive(value, entryKey);
    return this.position <= this.full;
  }

  /** Writes what is neither text nor number nor object. */
  otherPrimitive(value: unknown, entryKey: EntryKey): void {
    if (value === null || value === undefined) this.entryNull(entryKey);
    else if (typeof value === 'boolean') this.entryWord(String(value), entryKey);
    else if (typeof value === 'bigint') this.#bigInt(value, entryKey);
    else if (typeof value === 'symbol') this.entryText(String(value), entryKey);
    else this.entryText(functionMarker(value as object), entryKey);
  }

  #bigInt(value: bigint, entryKey: EntryKey): void {
    const shown = shownBigInt(value, this.textLimit, this.masking);
    if (shown === undefined) {
      if (this.masking.hidesNumber(value)) this.entryShown(maskMark, entryKey);
      else this.entryWord(String(value), entryKey);
      return;
    }
    this.truncated ||= shown.isCut;
    this.entryShown(shown.text, entryKey);
  }

  enter(object: object, cache: InlineCache, entryKey: EntryKey): boolean {
    if (this.position > this.full || this.#calls >= maxNestedCalls)
      return this.stop(enterFrame(object, cache, entryKey));
    if (this.#objectsUntilLook-- === 0 && this.#takesLong()) return this.pause(enterFrame(object, cache, entryKey));
    if (types.isProxy(object)) {
      this.entryText(proxyMarker, entryKey);
      return this.hasRoom();
    }
    const { shape } = cache;
    if (shape !== undefined && this.isOfShape(object, shape)) return this.enterShape(object, shape, entryKey);
    if (!isPlainArray(object) || !this.#hasPlainItems(object, cache)) return enterObject(this, object, cache, entryKey);
    if (!this.beginContainer(object, entryKey)) return this.hasRoom();
    this.openList(entryKey);
    return writeItems(this, object, 0, cache, entryKey);
  }

  /** Whether this slice does, by code of a bean such as getters: what the writer itself does ends with the output full. */
  #takesLong(): boolean {
    const now = performance.now();
    this.#objectsUntilLook = this.#objectsPerLook;
    if (this.#firstLook === 0) this.#firstLook = now;
    if (now - this.#firstLook < maxSliceMs) return false;
    this.#objectsPerLook = 1;
    return true;
  }

  /** Whether items can be read without firing a trap. Checked once per epoch, with the first list in each place. */
  #hasPlainItems(array: readonly unknown[], cache: InlineCache): boolean {
    if (cache.listsCheckedIn === this.epoch) return true;
    if (hasProxiedItem(array)) return false;
    cache.listsCheckedIn = this.epoch;
    return true;
  }

  isOfShape(object: object, shape: Shape): boolean {
    return (
      Object.getPrototypeOf(object) === shape.prototype &&
      (shape.epoch === this.epoch ? shape.matches(object) : this.#canUse(shape, object)) &&
      (shape.properties.length > 0 || !mayBeBuiltIn(object))
    );
  }

  /** Whether a shape can be used in this epoch; checked once, with the first object of it. */
  #canUse(shape: Shape, object: object): boolean {
    if (!shape.respectsOptionsOf(this) || !isCurrent(shape, this.epoch)) return false;
    if (!shape.matches(object) || !shape.hasNoProxiedGetter(object)) return false;
    shape.epoch = this.epoch;
    return true;
  }

  enterShape(object: object, shape: Shape, entryKey: EntryKey): boolean {
    if (!this.beginContainer(object, entryKey)) return this.hasRoom();
    this.openObject(entryKey);
    return this.compiled(shape)(this, object, 0, entryKey);
  }

  beginContainer(object: object, entryKey: EntryKey): boolean {
    if (this.writeIfAncestor(object, entryKey)) return false;
    if (this.ancestors.depth >= this.#depthLimit) {
      this.truncated = true;
      this.entryText(depthMarker, entryKey);
      return false;
    }
    this.ancestors.push(object, entryKey);
    this.#calls++;
    return true;
  }

  writeIfAncestor(object: object, entryKey: EntryKey): boolean {
    const depth = this.ancestors.depthOf(object);
    if (depth < 0) return false;
    this.entryText(referenceMarker(this.ancestors.pathTo(depth, this.masking)), entryKey);
    return true;
  }

  closeObject(entryKey: EntryKey): boolean {
    this.endObject(entryKey);
    this.ancestors.pop();
    this.#calls--;
    return this.position <= this.full;
  }

  closeList(entryKey: EntryKey): boolean {
    this.endList(entryKey);
    this.ancestors.pop();
    this.#calls--;
    return this.position <= this.full;
  }

  cutList(remaining: number, entryKey: EntryKey): boolean {
    if (remaining > 0) {
      this.truncated = true;
      this.entryShown(moreMarker(remaining), itemKey);
    }
    return this.closeList(entryKey);
  }

  cutObject(remaining: number, entryKey: EntryKey, has: (key: string) => boolean): boolean {
    if (remaining > 0) {
      this.truncated = true;
      let key = moreKey;
      while (has(key)) key = `_${key}`;
      this.entryShown(moreMarker(remaining), key);
    }
    return this.closeObject(entryKey);
  }

  cutEntry(entryKey: EntryKey): void {
    this.truncated = true;
    this.entryShown(moreMarker(1), entryKey);
  }

  threw(error: unknown): string {
    return threwMarker(error);
  }

  isShown(object: object, key: string): boolean {
    return isReadable(findProperty(object, key));
  }

  maskedKey(key: string): string {
    return key.length < this.shortestSecret && !key.includes('@') ? key : this.masking.key(key);
  }

  /** Whether a text with characters of these kinds may have to be escaped or masked. */
  protected needsSlowPath(text: string, kinds: number): boolean {
    if ((kinds & special) !== 0 || ((kinds & atSign) !== 0 && text.includes('://'))) return true;
    return (kinds & escapeSign) !== 0 && text.length >= this.shortestSecret && this.secrets.isEscapedIn(text);
  }

  /** The text as it is shown: masked and not too long. */
  protected maskedAndCut(value: string): string {
    const { text, isCut } = shownText(value, this.textLimit, this.masking);
    if (isCut) this.truncated = true;
    return text;
  }
}

function enterFrame(object: object, cache: InlineCache, entryKey: EntryKey): Frame {
  return {
    resume: (writer) => writer.enter(object, cache, entryKey),
    cut: (writer) => writer.cutEntry(entryKey),
  };
}
