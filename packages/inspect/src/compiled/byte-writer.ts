import { types } from 'node:util';
import type { ChunkSource } from '../chunk-source.ts';
import type { ResolvedOptions } from '../inspection-options.ts';
import type { Masking } from '../masking/masking.ts';
import { maskMark, type SecretFinder } from '../masking/secret-finder.ts';
import { isSecretKey } from '../masking/secret-key.ts';
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
import { ByteOutput } from './byte-output.ts';
import { atSign, escapeSign, special } from './characters.ts';
import { enterOther } from './enter-other.ts';
import { FrameStack } from './frame-stack.ts';
import { hasProxiedItem, isPlainArray, writeItems } from './items.ts';
import { itemLabel, type Label } from './label.ts';
import { shapeFrame } from './properties.ts';
import { isCurrent, isDisguised } from './shapes.ts';
import { SeenSite } from './site.ts';
import type { CompiledWriter, Frame, Shape, Site, Writing } from './writing.ts';

/** Containers that are written by calls within calls, before the calls are folded into frames. */
const nestedCalls = 64;

let documents = 0;

/**
 * Writes a document as bytes, by calls within calls as long as that goes well. When the output is full, or the calls
 * are too deep, every call notes a frame and returns; later the frames are resumed, from the innermost outwards.
 */
export abstract class ByteWriter extends ByteOutput implements ChunkSource, Writing {
  truncated = false;
  document = 0;
  limit = 0;
  textLimit = 0;
  masking!: Masking;
  secrets!: SecretFinder;
  shortestSecret = 0;
  hasNumbers = false;
  readonly stacks = false;
  readonly hides = isSecretKey;
  readonly ancestors = new Ancestors();
  /** The sites of roots outlive the documents, so that the next one finds its shapes. */
  readonly #rootSite = new SeenSite();
  readonly #frames = new FrameStack();
  #depthLimit = 0;
  #calls = 0;
  #isPaused = false;
  #isCut = false;
  #isOpen = false;
  /** Whether the document is wanted in one piece. */
  #isWhole = false;
  #isBegun = false;
  #root: unknown;

  /** Writes what a text shows, its quotes and separator included where the form has them. */
  abstract text(value: string): void;
  abstract number(value: number): void;
  abstract entryShown(text: string, label: Label | string): void;
  abstract entryText(value: string, label: Label | string): void;
  abstract entryNumber(value: number, label: Label | string): void;
  /** Writes an entry that is a word of the form: a boolean, or all the digits of a number. */
  abstract entryWord(word: string, label: Label | string): void;
  abstract entryNull(label: Label | string): void;
  abstract openObject(label: Label | string): void;
  abstract openList(label: Label | string): void;
  abstract compiled(shape: Shape): CompiledWriter;
  protected abstract rootLabel(value: unknown): Label;
  protected abstract endObject(label: Label | string): void;
  protected abstract endList(label: Label | string): void;
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
    this.#isBegun = false;
    this.#root = value;
  }

  next(): Buffer | undefined {
    return this.#isOpen ? handlingCreatedPromises(() => this.#next()) : undefined;
  }

  #next(): Buffer {
    // What is known of prototypes holds only until others have had their turn.
    this.document = ++documents;
    this.#isPaused = false;
    if (!this.#isBegun) this.#begin();
    while ((this.hasRoom() || (this.#isWhole && this.grow())) && !this.#isPaused) {
      const frame = this.#frames.next();
      if (frame === undefined) return this.#finish();
      this.#calls = 0;
      if (this.#isCut) frame.cut(this);
      else frame.resume(this);
      this.#frames.keepNoted();
    }
    return this.takeAllButLast();
  }

  #begin(): void {
    this.#isBegun = true;
    this.#calls = 0;
    this.value(this.#root, this.#rootSite, this.rootLabel(this.#root));
    this.#root = undefined;
    this.#frames.keepNoted();
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
    this.#frames.note(frame);
    return false;
  }

  pause(frame: Frame): false {
    this.#isPaused = true;
    return this.stop(frame);
  }

  save(shape: Shape, object: object, from: number, label: Label | string): void {
    this.#frames.note(shapeFrame(shape, object, from, label));
  }

  value(value: unknown, site: Site, label: Label | string): boolean {
    if (typeof value === 'string') this.entryText(value, label);
    else if (typeof value === 'number') this.entryNumber(value, label);
    else if (typeof value === 'object' && value !== null) return this.enter(value, site, label);
    else this.rest(value, label);
    return this.position <= this.full;
  }

  /** Writes what is neither text nor number nor object. */
  rest(value: unknown, label: Label | string): void {
    if (value === null || value === undefined) this.entryNull(label);
    else if (typeof value === 'boolean') this.entryWord(String(value), label);
    else if (typeof value === 'bigint') this.#bigInt(value, label);
    else if (typeof value === 'symbol') this.entryText(String(value), label);
    else this.entryText(functionMarker(value as object), label);
  }

  #bigInt(value: bigint, label: Label | string): void {
    const shown = shownBigInt(value, this.textLimit, this.masking);
    if (shown === undefined) {
      if (this.masking.hidesNumber(value)) this.entryShown(maskMark, label);
      else this.entryWord(String(value), label);
      return;
    }
    this.truncated ||= shown.isCut;
    this.entryShown(shown.text, label);
  }

  enter(object: object, site: Site, label: Label | string): boolean {
    if (this.position > this.full || this.#calls >= nestedCalls) return this.stop(enterFrame(object, site, label));
    if (types.isProxy(object)) {
      this.entryText(proxyMarker, label);
      return this.hasRoom();
    }
    const { shape } = site;
    if (shape !== undefined && this.fits(object, shape)) return this.enterShape(object, shape, label);
    if (!isPlainArray(object) || !this.#canRead(object, site)) return enterOther(this, object, site, label);
    if (!this.begin(object, label)) return this.hasRoom();
    this.openList(label);
    return writeItems(this, object, 0, site, label);
  }

  /** Whether items can be read without firing a trap, as far as the first list in each place tells. */
  #canRead(array: readonly unknown[], site: Site): boolean {
    if (site.listsRead === this.document) return true;
    if (hasProxiedItem(array)) return false;
    site.listsRead = this.document;
    return true;
  }

  fits(object: object, shape: Shape): boolean {
    return (
      Object.getPrototypeOf(object) === shape.prototype &&
      (shape.document === this.document ? shape.matches(object) : this.#admits(shape, object)) &&
      (shape.properties.length > 0 || !isDisguised(object))
    );
  }

  /** Whether a shape can be used in this piece of the document; looked into once, with the first object of it. */
  #admits(shape: Shape, object: object): boolean {
    if (!shape.suits(this) || !isCurrent(shape, this.document)) return false;
    if (!shape.matches(object) || !shape.canRead(object)) return false;
    shape.document = this.document;
    return true;
  }

  enterShape(object: object, shape: Shape, label: Label | string): boolean {
    if (!this.begin(object, label)) return this.hasRoom();
    this.openObject(label);
    return this.compiled(shape)(this, object, 0, label);
  }

  begin(object: object, label: Label | string): boolean {
    if (this.refers(object, label)) return false;
    if (this.ancestors.depth >= this.#depthLimit) {
      this.truncated = true;
      this.entryText(depthMarker, label);
      return false;
    }
    this.ancestors.push(object, label);
    this.#calls++;
    return true;
  }

  refers(object: object, label: Label | string): boolean {
    const depth = this.ancestors.depthOf(object);
    if (depth < 0) return false;
    this.entryText(referenceMarker(this.ancestors.pathTo(depth, this.masking)), label);
    return true;
  }

  closeObject(label: Label | string): boolean {
    this.endObject(label);
    this.ancestors.pop();
    this.#calls--;
    return this.position <= this.full;
  }

  closeList(label: Label | string): boolean {
    this.endList(label);
    this.ancestors.pop();
    this.#calls--;
    return this.position <= this.full;
  }

  cutList(remaining: number, label: Label | string): boolean {
    if (remaining > 0) {
      this.truncated = true;
      this.entryShown(moreMarker(remaining), itemLabel);
    }
    return this.closeList(label);
  }

  cutObject(remaining: number, label: Label | string, has: (key: string) => boolean): boolean {
    if (remaining > 0) {
      this.truncated = true;
      let key = moreKey;
      while (has(key)) key = `_${key}`;
      this.entryShown(moreMarker(remaining), key);
    }
    return this.closeObject(label);
  }

  cutEntry(label: Label | string): void {
    this.truncated = true;
    this.entryShown(moreMarker(1), label);
  }

  threw(error: unknown): string {
    return threwMarker(error);
  }

  shows(object: object, key: string): boolean {
    return isReadable(findProperty(object, key));
  }

  shownKey(key: string): string {
    return key.length < this.shortestSecret && !key.includes('@') ? key : this.masking.key(key);
  }

  /** Whether a text with characters of these kinds may have to be written as something else. */
  protected needsCare(text: string, kinds: number): boolean {
    if ((kinds & special) !== 0 || ((kinds & atSign) !== 0 && text.includes('://'))) return true;
    return (kinds & escapeSign) !== 0 && text.length >= this.shortestSecret && this.secrets.isEscapedIn(text);
  }

  /** The slow but complete way to what a text shows. */
  protected shown(value: string): string {
    const { text, isCut } = shownText(value, this.textLimit, this.masking);
    if (isCut) this.truncated = true;
    return text;
  }
}

function enterFrame(object: object, site: Site, label: Label | string): Frame {
  return {
    resume: (writer) => writer.enter(object, site, label),
    cut: (writer) => writer.cutEntry(label),
  };
}
