import { types } from 'node:util';
import { type ChunkSource, maxSliceMs } from '../chunks.ts';
import type { ResolvedOptions } from '../inspection-options.ts';
import { hidesScalar } from '../masking/masking.ts';
import { everything, nothing, type Secrecy, secrecyOfKey, texts } from '../masking/secret-key.ts';
import { maskMark } from '../masking/secrets.ts';
import { callToJson, findToJson, handlingCreatedPromises, isMadeAnew, readProperty } from '../walk/bean-code.ts';
import { builtInScalar, bytesOf } from '../walk/built-in.ts';
import { containerCursor, entrySecrecy, inheritedSecrecy, proxyCursor } from '../walk/container-cursor.ts';
import { hasOnlyMethods, hiddenContent, proxyContent } from '../walk/content.ts';
import {
  ArrayCursor,
  type Cursor,
  freeKey,
  isNamedBefore,
  isNamedBeside,
  isTellingKey,
  namesItem,
  PropertyCursor,
  shownValueOf,
  skipSome,
} from '../walk/cursors.ts';
import { lookupGetter } from '../walk/intrinsics.ts';
import { MapCursor, MapEntryListCursor, MapScan } from '../walk/map-cursors.ts';
import {
  closedMarker,
  depthMarker,
  functionMarker,
  moreMarker,
  newMarker,
  proxyMarker,
  referenceMarker,
} from '../walk/markers.ts';
import { mayHavePrivateFields } from '../walk/private-fields.ts';
import { type Getter, isMethod, keepNames, mayHaveEntries, ownProperty } from '../walk/reflection.ts';
import { type ShownText, shownBigInt, shownBytes } from '../walk/shown-text.ts';
import { manyValues } from '../walk/walk-options.ts';
import { type EntryKey, encodedKey, itemKey } from './encoded-key.ts';
import { currentKey, Frame, type Place } from './frame.ts';
import { MaskedOutput } from './masked-output.ts';
import {
  type ClassGetter,
  classProperty,
  factsOf,
  isAsBuiltIn,
  mayBeBuiltIn,
  ownOrInherited,
  type PrototypeFacts,
  resultOf,
} from './prototype-facts.ts';

/** Objects and entries between two looks at the clock, until a look has found that they take long. */
const stepsPerLook = 16;
const neverLook = 2 ** 30;
/** Keys of a map that are looked at before the event loop may have its turn. */
const scanStep = 20_000;
/** Up to this depth a linear search for a cycle is faster than a map. */
const linearSearchDepth = 48;
/** Up to this depth containers are written by nested calls, which is faster; what is left of them is in their frames. */
const nestedDepth = 32;
/** Keys of one map that may be encoded: those of a big one mostly come only once. */
const mostEncodedKeys = 100;
/** Frames that are kept for the next document. */
const keptFrames = 100;

const nothingMore: Buffer = Buffer.alloc(0);

/** Writes any live value as bytes, entry by entry, with a stack of its own, so that it can stop anywhere. */
export abstract class Writer extends MaskedOutput implements ChunkSource {
  /** Whether a key has made anything a secret. */
  hasMasked = false;
  /** Whether a small document is to be a text, in place of its only chunk. */
  isTextWanted = false;
  wholeText: string | undefined;
  protected depth = 0;
  #options!: ResolvedOptions;
  #limit = 0;
  #closed: ReadonlySet<object> | undefined;
  #hasPrivateFields = false;
  /** Whether what is found most is read without a cursor: no path is asked for, and nothing passed over. */
  #isDirect = false;
  readonly #frames: Frame[] = [];
  /** The depths of open containers beyond the linear search. */
  readonly #depths = new Map<object, number>();
  /** For one chunk, since other code may run after it. */
  readonly #facts = new Map<object | null, PrototypeFacts>();
  #hasPlainArrays: boolean | undefined;
  #chunk = 0;
  #lastPrototype: object | null | undefined;
  #lastFacts!: PrototypeFacts;
  /** Past this position the writer stops: where the output is full, or before everything. */
  #stopAt = 0;
  #stepsPerLook = stepsPerLook;
  #stepsUntilLook = 0;
  /** The same for calls of code of the bean, which may take any time: so the first ones are looked after one by one. */
  #callsPerLook = 1;
  #callsUntilLook = 1;
  /** When the first look of this slice was; 0 before it. */
  #firstLook = 0;
  #isWhole = false;
  #isCut = false;
  /** How many values are in the containers that were left. */
  #count = 0;
  /** Where large objects were written, once there is one. Weak, since many may be made only to be written. */
  #written: WeakMap<object, Place> | undefined;
  #state: 'new' | 'open' | 'done' = 'done';
  #root: unknown;
  /** Whether a key alone tells what is secret, since an application has no rules of its own. */
  #isByKey = false;
  readonly #secrecyOf = (key: string): Secrecy => {
    const { secrecy } = this.#frames[this.depth - 1] as Frame;
    if (this.#isByKey && secrecy === nothing) return secrecyOfKey(key);
    return this.masking.secrecyOf(key, () => this.#options.at + this.#pathTo(this.depth - 1, key), secrecy);
  };

  /** Each writes an entry: its key, unless it is an item, and the value. */
  protected abstract text(value: string, key: EntryKey): void;
  /** A text that has been masked and cut. */
  protected abstract shown(text: string, key: EntryKey): void;
  protected abstract number(value: number, key: EntryKey): void;
  protected abstract digits(digits: string, key: EntryKey): void;
  protected abstract boolean(value: boolean, key: EntryKey): void;
  protected abstract null(key: EntryKey): void;
  protected abstract open(frame: Frame): void;
  protected abstract close(frame: Frame): void;
  protected abstract rootKey(value: unknown): EntryKey;
  protected abstract endDocument(): void;

  /** Begins a document, which may be wanted in one piece. */
  start(value: unknown, options: ResolvedOptions, isWhole = false): void {
    const { masking, limit, budget, from } = options;
    this.startMasking(options);
    this.#options = options;
    this.#limit = limit;
    this.#closed = options.closed;
    this.#hasPrivateFields = options.privateFields !== undefined;
    this.#isByKey = !masking.hasNames && !masking.needsPaths;
    this.#isDirect = !masking.needsPaths && from === 0;
    this.hasMasked = false;
    this.#isCut = false;
    this.#count = 0;
    this.#written = undefined;
    this.#isWhole = isWhole;
    // Nobody waits for a slice of a document that is made at once and may take as long as it does.
    this.#stepsPerLook = isWhole && budget === Number.POSITIVE_INFINITY ? neverLook : stepsPerLook;
    this.#callsPerLook = 1;
    this.#callsUntilLook = this.#stepsPerLook === neverLook ? neverLook : 1;
    this.#state = 'new';
    this.#root = value;
  }

  get isDone(): boolean {
    return this.#state === 'done';
  }

  next(): Buffer | undefined {
    return this.#state === 'done' ? undefined : handlingCreatedPromises(() => this.#next(), this.#options.getters);
  }

  #next(): Buffer {
    this.#chunk++;
    if (this.#facts.size > 0) this.#facts.clear();
    this.#hasPlainArrays = undefined;
    this.#lastPrototype = undefined;
    this.#stepsUntilLook = this.#stepsPerLook;
    this.#firstLook = this.#stepsPerLook === 1 ? performance.now() : 0;
    this.#stopAt = this.full;
    if (this.#state === 'new') {
      this.#state = 'open';
      this.#guarded(this.#root, this.rootKey(this.#root), this.#options.secrecy);
      this.#root = undefined;
    }
    if (this.#isCut) this.#cutAll();
    while (this.depth > 0) {
      const frame = this.#frames[this.depth - 1] as Frame;
      if (this.position > this.#stopAt && !this.#hasMoreRoom()) {
        keepNames(frame.object as object, frame.names);
        return this.takeAllButLast();
      }
      this.#continue(frame);
    }
    this.endDocument();
    this.#state = 'done';
    if (this.isTextWanted) this.wholeText = this.takeText();
    return this.wholeText === undefined ? this.takeAll() : nothingMore;
  }

  #hasMoreRoom(): boolean {
    if (this.#stopAt < 0 || !this.#isWhole || !this.grow()) return false;
    this.#stopAt = this.full;
    return true;
  }

  cut(): void {
    this.#isCut = true;
  }

  abandon(): void {
    this.reset();
    this.#root = undefined;
    this.#written = undefined;
    this.isTextWanted = false;
    this.wholeText = undefined;
    this.#state = 'done';
    if (this.depth > 0) handlingCreatedPromises(() => this.#closeAll());
    if (this.#frames.length > keptFrames) this.#frames.length = keptFrames;
  }

  #closeAll(): void {
    for (; this.depth > 0; this.depth--) {
      const frame = this.#frames[this.depth - 1] as Frame;
      if (frame.cursor !== undefined && !(frame.cursor instanceof MapScan)) frame.cursor.close?.();
      frame.clear();
    }
    this.#depths.clear();
  }

  #continue(frame: Frame): void {
    const { cursor, items } = frame;
    if (items !== undefined) this.#items(frame, items);
    else if (cursor === undefined) this.#ordinary(frame);
    else if (cursor instanceof MapScan) this.#scan(frame, cursor);
    else if (frame.skip > 0) this.#skip(frame, cursor);
    else this.#entries(frame, cursor);
  }

  /** Stops soon when this slice takes long, which code of a bean makes it do: all else ends with the output full. */
  #look(): void {
    if (this.#stepsUntilLook-- > 0) return;
    this.lookNow();
  }

  #lookAfterCall(): void {
    if (--this.#callsUntilLook > 0) return;
    this.#callsPerLook = Math.min(this.#callsPerLook * 2, this.#stepsPerLook);
    this.#callsUntilLook = this.#callsPerLook;
    this.lookNow();
  }

  protected override lookNow(): void {
    const now = performance.now();
    this.#stepsUntilLook = this.#stepsPerLook;
    if (this.#firstLook === 0) this.#firstLook = now;
    if (now - this.#firstLook < maxSliceMs) return;
    this.#stepsPerLook = 1;
    this.#callsUntilLook = 1;
    this.#stopAt = -1;
  }

  /** Between two chunks the classes of an object may have changed: then the rest of it is read by a cursor. */
  #ordinary(frame: Frame): void {
    if (frame.getters.length === 0 || frame.chunk === this.#chunk) this.#properties(frame, frame.object as object);
    else frame.cursor = this.#cursorOf(frame);
  }

  #properties(frame: Frame, object: object): void {
    const { depth } = this;
    const end = frame.names.length + frame.getters.length;
    while (frame.index < end) {
      if (!this.#isPropertyWritten(frame, object)) {
        frame.unshown++;
        if (frame.index === 1 && this.#isReplaced(frame, object)) return;
        this.#look();
      }
      if (this.depth !== depth || this.position > this.#stopAt) return;
    }
    this.#leave(frame);
  }

  /** Whether an object of which nothing is to be seen, as its first property suggests, is shown by what is known of it. */
  #isReplaced(frame: Frame, object: object): boolean {
    const { key, secrecy, names, getters } = frame;
    if (this.depth >= nestedDepth || !this.#isReplaceable(object, names, getters)) return false;
    this.position = frame.start;
    this.depth--;
    frame.clear();
    this.#indirectly(object, key, secrecy);
    return true;
  }

  #isReplaceable(object: object, names: readonly string[], getters: readonly ClassGetter[]): boolean {
    const { contentOf } = this.#options;
    if (contentOf === undefined) return false;
    const all = getters.length === 0 ? names : [...names, ...getters.map(({ name }) => name)];
    return hasOnlyMethods(object, all) && contentOf(object) !== undefined;
  }

  /** Writes the next property; false when there is nothing to show. */
  #isPropertyWritten(frame: Frame, object: object): boolean {
    const { names, getters, secrecy: inherited } = frame;
    const index = frame.index++;
    const getter = index < names.length ? undefined : (getters[index - names.length] as ClassGetter);
    const name = getter === undefined ? (names[index] as string) : getter.name;
    const property = getter === undefined ? ownOrInherited(object, name) : classProperty(object, getter, names);
    if (property === undefined) return false;
    if (getter !== undefined) getter.key ??= encodedKey(name);
    const encoded = getter === undefined ? frame.keyOf(name, index) : getter.key;
    const known = encoded === undefined ? undefined : this.cleanKey(encoded, name);
    const isOfKey = known !== undefined && this.#isByKey && inherited === nothing;
    const secrecy = isOfKey ? known.secrecy : this.#secrecyOf(name);
    const { get } = property as { readonly get?: Getter };
    let value: unknown = property.value;
    if (get !== undefined) {
      value =
        secrecy === everything
          ? undefined
          : resultOf(get, object, property === getter?.property ? getter.known : undefined);
      if (isMadeAnew(value, object, get)) value = newMarker(value);
      this.#lookAfterCall();
    } else if (typeof value === 'string') {
      // What is beside it may have to be learned.
      if (name === 'kty' || (name === 'value' && isNamedBeside(object, name, value, this.masking)))
        this.hasMasked = true;
    } else if (value === undefined && !('value' in property)) return false;
    if (typeof value === 'function' && isMethod(value)) return false;
    const key = known ?? this.shownKey(name);
    if (secrecy === nothing) this.#value(value, key);
    else this.#guarded(value, key, secrecy);
    return true;
  }

  #items(frame: Frame, items: readonly unknown[]): void {
    const { depth } = this;
    let isFirst = true;
    let before: unknown;
    while (frame.index < items.length) {
      if (frame.index >= this.#limit) {
        this.#cutFrame(frame);
        return;
      }
      const index = frame.index++;
      const isPlain = lookupGetter.call(items, index) === undefined;
      const item = isPlain ? items[index] : readProperty(items, ownProperty(items, index));
      const isText = typeof item === 'string' && frame.secrecy === nothing;
      const isNamed = isText && (isFirst ? this.#isFirstNamed(frame, items) : namesItem(before, index, items));
      before = isPlain ? item : undefined;
      isFirst = false;
      if (frame.secrecy === nothing && !isNamed) this.#value(item, itemKey);
      else this.#guarded(item, itemKey, isNamed ? texts : frame.secrecy);
      if (this.depth !== depth || this.position > this.#stopAt) return;
    }
    this.#leave(frame);
  }

  /** Whether the item before the next one in this chunk names it; all may be arguments, and have to be learned. */
  #isFirstNamed({ key, index }: Frame, items: readonly unknown[]): boolean {
    const name = typeof key === 'object' ? key.text : key;
    const around = isTellingKey(name) ? this.#frames[this.depth - 2]?.object : undefined;
    if (around !== undefined && isNamedBeside(around, name, items, this.masking)) this.hasMasked = true;
    return isNamedBefore(items, index - 1);
  }

  #entries(frame: Frame, cursor: Cursor): void {
    const { depth } = this;
    const isList = cursor.kind === 'list';
    do {
      if (frame.index >= this.#limit) {
        this.#cutFrame(frame);
        return;
      }
      if (!cursor.next()) {
        this.#leave(frame);
        return;
      }
      frame.index++;
      this.#lookAfterCall();
      if (cursor.mark === 'limit') this.truncated = true;
      if (isTellingKey(cursor.key)) this.hasMasked = true;
      const isHidden = this.masking.needsPaths && this.#hidesEntry(cursor);
      const secrecy = isHidden ? everything : entrySecrecy(cursor, frame.secrecy, this.#secrecyOf);
      this.#guarded(
        shownValueOf(cursor),
        isList ? itemKey : this.#entryKey(cursor.key as string, frame.index),
        secrecy,
      );
    } while (this.depth === depth && this.position <= this.#stopAt);
  }

  #entryKey(name: string, count: number): EntryKey {
    const encoded = count > mostEncodedKeys ? undefined : encodedKey(name, false);
    return (encoded && this.cleanKey(encoded, name)) ?? this.shownKey(name);
  }

  #hidesEntry({ key, value }: Cursor): boolean {
    return this.masking.hidesEntry(String(key), value, () => this.#options.at + this.#pathTo(this.depth));
  }

  #scan(frame: Frame, scan: MapScan): void {
    if (scan.advance(scanStep)) this.#openMap(frame, scan);
    else this.#stopAt = -1;
  }

  #openMap(frame: Frame, { kind, map }: MapScan): void {
    frame.cursor = kind === 'list' ? new MapEntryListCursor(map) : new MapCursor(map, this.#secrecyOf);
    frame.isList = kind === 'list';
    this.open(frame);
  }

  #skip(frame: Frame, cursor: Cursor): void {
    frame.skip = skipSome(cursor, frame.skip);
    this.#lookAfterCall();
  }

  /** Writes a value, or a mask in its place where its key makes it a secret. */
  #guarded(value: unknown, key: EntryKey, secrecy: Secrecy): void {
    if (secrecy === nothing) this.#value(value, key);
    else if (secrecy !== everything && mayHaveEntries(value) && !types.isProxy(value))
      this.#object(value, key, secrecy);
    else if (secrecy === everything || hidesScalar(value, secrecy)) {
      this.hasMasked = true;
      this.shown(maskMark, key);
    } else this.#value(value, key);
  }

  #value(value: unknown, key: EntryKey): void {
    if (typeof value === 'string') this.text(value, key);
    else if (typeof value === 'number') this.number(value, key);
    else if (value === null || value === undefined) this.null(key);
    else if (typeof value === 'object') this.#object(value, key, nothing);
    else if (typeof value === 'boolean') this.boolean(value, key);
    else if (typeof value === 'bigint') this.#bigInt(value, key);
    else if (typeof value === 'symbol') this.text(String(value), key);
    else if (isMethod(value)) this.text(this.#closed?.has(value) ? closedMarker : functionMarker(value), key);
    else this.#object(value, key, nothing);
  }

  #bigInt(value: bigint, key: EntryKey): void {
    const shown = shownBigInt(value, this.textLimit, this.masking);
    if (shown !== undefined) this.#shownText(shown, key);
    else if (this.masking.hidesNumber(value)) this.shown(maskMark, key);
    else this.digits(String(value), key);
  }

  #shownText({ text, isCut }: ShownText, key: EntryKey): void {
    if (isCut) this.truncated = true;
    this.shown(text, key);
  }

  #object(object: object, key: EntryKey, secrecy: Secrecy): void {
    this.#look();
    if (types.isProxy(object)) this.#proxy(object, key);
    else if (!this.#isReference(object, key) && !(this.#isDirect && this.#isWrittenDirectly(object, key, secrecy))) {
      this.#indirectly(object, key, secrecy);
    }
  }

  #indirectly(object: object, key: EntryKey, secrecy: Secrecy): void {
    const content = hiddenContent(object, this.#options.contentOf);
    if (content !== undefined) this.#made(object, content.value, key, secrecy);
    else if (!this.#isScalar(object, key, secrecy)) this.#containerOf(object, key, secrecy);
  }

  /** What is found most, by its prototype alone; false when a closer look is needed. */
  #isWrittenDirectly(object: object, key: EntryKey, secrecy: Secrecy): boolean {
    const prototype = Object.getPrototypeOf(object) as object | null;
    if (typeof object === 'function') return false;
    if (Array.isArray(object)) return this.#isPlainArray(object, prototype) && this.#pushItems(object, key, secrecy);
    const { kind, getters } = this.#factsOf(prototype);
    if (kind === 'special' || (this.#hasPrivateFields && mayHavePrivateFields(object))) return false;
    if (kind === 'date') return types.isDate(object) && this.#isScalar(object, key, secrecy);
    if (Object.hasOwn(object, 'toJSON')) return false;
    if (kind === 'map') return types.isMap(object) && this.#push(object, key, new MapScan(object), secrecy);
    if (Object.hasOwn(object, Symbol.iterator)) return false;
    // What is made of a component may be plain data.
    if (secrecy !== nothing && prototype !== Object.prototype) return false;
    return this.#pushProperties(object, key, getters, secrecy);
  }

  #isPlainArray(array: readonly unknown[], prototype: object | null): boolean {
    this.#hasPlainArrays ??= isAsBuiltIn(Array.prototype);
    return prototype === Array.prototype && this.#hasPlainArrays && !Object.hasOwn(array, 'toJSON');
  }

  #factsOf(prototype: object | null): PrototypeFacts {
    if (prototype === this.#lastPrototype) return this.#lastFacts;
    let facts = this.#facts.get(prototype);
    if (facts === undefined) {
      facts = factsOf(prototype);
      // Most small documents know one prototype, which need not be kept among others.
      if (this.#lastPrototype !== undefined) {
        this.#facts.set(this.#lastPrototype, this.#lastFacts);
        this.#facts.set(prototype, facts);
      }
    }
    this.#lastPrototype = prototype;
    this.#lastFacts = facts;
    return facts;
  }

  #pushItems(items: readonly unknown[], key: EntryKey, secrecy: Secrecy): true {
    const frame = this.#frameFor(items, key, secrecy);
    if (frame === undefined) return true;
    frame.items = items;
    frame.isList = true;
    this.open(frame);
    if (this.depth < nestedDepth) this.#items(frame, items);
    return true;
  }

  #pushProperties(object: object, key: EntryKey, getters: readonly ClassGetter[], secrecy: Secrecy): boolean {
    const names = Object.keys(object);
    const count = names.length + getters.length;
    if (count > this.#limit || (count === 0 && mayBeBuiltIn(object))) {
      keepNames(object, names);
      return false;
    }
    if (count === 0 && Object.getPrototypeOf(object) !== Object.prototype && this.#options.contentOf?.(object))
      return false;
    // Deep ones are opened now, and read later.
    if (this.depth + 1 >= nestedDepth && this.#isReplaceable(object, names, getters)) return false;
    const start = this.position;
    const frame = this.#frameFor(object, key, secrecy);
    if (frame === undefined) return true;
    frame.start = start;
    frame.names = names;
    frame.getters = getters;
    frame.chunk = this.#chunk;
    frame.isList = false;
    this.open(frame);
    if (this.depth < nestedDepth) this.#properties(frame, object);
    return true;
  }

  #push(object: object, key: EntryKey, cursor: Cursor | MapScan, secrecy: Secrecy, made?: object): true {
    const frame = this.#frameFor(object, key, secrecy, made);
    if (frame === undefined) return true;
    frame.cursor = cursor;
    frame.skip = this.depth === 1 ? this.#options.from : 0;
    if (cursor instanceof MapScan) return true;
    frame.isList = cursor.kind === 'list';
    this.open(frame);
    return true;
  }

  /** A frame for one more container; none when it is too deep, then a marker is written in its place. */
  #frameFor(object: object, key: EntryKey, secrecy: Secrecy, made?: object): Frame | undefined {
    const { depth } = this;
    if (this.#isTooDeep(key)) return undefined;
    const frame = depth < this.#frames.length ? (this.#frames[depth] as Frame) : new Frame();
    this.#frames[depth] = frame;
    frame.object = object;
    frame.made = made;
    frame.key = key;
    frame.secrecy = secrecy;
    frame.index = 0;
    frame.unshown = 0;
    frame.before = this.#count;
    if (depth >= linearSearchDepth) {
      this.#depths.set(object, depth);
      if (made !== undefined) this.#depths.set(made, depth);
    }
    this.depth = depth + 1;
    return frame;
  }

  #isTooDeep(key: EntryKey): boolean {
    if (this.depth < this.#options.depth) return false;
    this.truncated = true;
    this.text(depthMarker, key);
    return true;
  }

  #leave(frame: Frame): void {
    this.close(frame);
    this.depth--;
    this.#count += frame.index - frame.unshown;
    if (this.#count - frame.before > manyValues) this.#remember(frame);
    if (this.depth >= linearSearchDepth) {
      this.#depths.delete(frame.object as object);
      if (frame.made !== undefined) this.#depths.delete(frame.made);
    }
    frame.clear();
  }

  /** Keeps where a large object is, unless it is the root, which has ended the document. */
  #remember({ object, made }: Frame): void {
    const place = this.#placeAt(this.depth);
    if (place === undefined) return;
    this.#written ??= new WeakMap();
    this.#written.set(object as object, place);
    if (made !== undefined) this.#written.set(made, place);
  }

  /** The place of the open container at a depth. */
  #placeAt(depth: number): Place | undefined {
    let known = depth;
    while (known > 0 && this.#frames[known]?.place === undefined) known--;
    for (; known < depth; known++) {
      const frame = this.#frames[known] as Frame;
      (this.#frames[known + 1] as Frame).place = { around: frame.place, key: currentKey(frame) };
    }
    return this.#frames[depth]?.place;
  }

  /** Whether an object is an open container, a large one that was written, or not to be shown; if so, a marker is written. */
  #isReference(object: object, key: EntryKey): boolean {
    if (this.#closed?.has(object)) {
      this.text(closedMarker, key);
      return true;
    }
    const depth = this.#depthOf(object);
    if (depth < 0) return this.#written !== undefined && this.#isWritten(object, this.#written, key);
    this.text(referenceMarker(this.#pathTo(depth)), key);
    return true;
  }

  #isWritten(object: object, written: WeakMap<object, Place>, key: EntryKey): boolean {
    let place = written.get(object);
    if (place === undefined) return false;
    const keys: string[] = [];
    for (; place !== undefined; place = place.around) keys.push(place.key);
    this.text(referenceMarker(this.pointerTo(keys.reverse())), key);
    return true;
  }

  #depthOf(object: object): number {
    const few = this.depth < linearSearchDepth ? this.depth : linearSearchDepth;
    for (let depth = 0; depth < few; depth++) {
      const frame = this.#frames[depth] as Frame;
      if (frame.object === object || frame.made === object) return depth;
    }
    return this.#depths.size === 0 ? -1 : (this.#depths.get(object) ?? -1);
  }

  /** Whether an object is a single value; if so, it is written. */
  #isScalar(object: object, key: EntryKey, secrecy: Secrecy): boolean {
    const bytes = bytesOf(object);
    const scalar = bytes === undefined ? builtInScalar(object) : undefined;
    if (bytes !== undefined && secrecy !== nothing) this.shown(maskMark, key);
    else if (bytes !== undefined) this.#shownText(shownBytes(bytes, this.textLimit, this.masking), key);
    else if (scalar !== undefined) this.#guarded(scalar, key, secrecy);
    return bytes !== undefined || scalar !== undefined;
  }

  /** What `toJSON` returns is not asked for its own, as in `JSON.stringify`. */
  #containerOf(object: object, key: EntryKey, secrecy: Secrecy): void {
    const toJson = findToJson(object);
    if (toJson === undefined) {
      this.#container(object, key, object, secrecy);
      return;
    }
    const value = callToJson(toJson, object, this.depth === 0 ? '' : currentKey(this.#frames[this.depth - 1] as Frame));
    this.#made(object, value, key, secrecy);
  }

  /** What was made of an object is shown in its place. */
  #made(object: object, value: unknown, key: EntryKey, secrecy: Secrecy): void {
    this.#lookAfterCall();
    if (!mayHaveEntries(value) || types.isProxy(value)) this.#guarded(value, key, secrecy);
    else if (value === object) this.#container(object, key, object, secrecy);
    else if (!this.#isReference(value, key) && !this.#isScalar(value, key, secrecy))
      this.#container(object, key, value, secrecy);
  }

  #container(object: object, key: EntryKey, shown: object, secrecy: Secrecy): void {
    if (this.depth >= this.#options.depth) this.#isTooDeep(key);
    else {
      const cursor = containerCursor(shown, { secrecyOf: this.#secrecyOf, stacks: this.#options.stacks });
      const isList = !(cursor instanceof MapScan) && cursor.kind === 'list';
      const inherited = inheritedSecrecy({ identities: [object, shown], isList, secrecy });
      this.#push(object, key, cursor, inherited, shown === object ? undefined : shown);
    }
  }

  #proxy(proxy: object, key: EntryKey): void {
    const content = proxyContent(proxy, this.#options);
    if (content !== undefined) {
      if (!this.#isReference(proxy, key)) this.#made(proxy, content, key, nothing);
    } else if (!this.#options.proxies) this.text(proxyMarker, key);
    else if (!this.#isReference(proxy, key) && !this.#isTooDeep(key)) {
      const cursor = proxyCursor(proxy, this.#secrecyOf);
      if (typeof cursor === 'string') this.text(cursor, key);
      else this.#push(proxy, key, cursor, nothing);
    }
  }

  /** Ends early: every open container says what is missing, and is closed. */
  #cutAll(): void {
    while (this.depth > 0) this.#cutFrame(this.#frames[this.depth - 1] as Frame);
  }

  #cutFrame(frame: Frame): void {
    // Many may be closed at once.
    this.reserve(0);
    if (frame.cursor instanceof MapScan) this.#openMap(frame, frame.cursor);
    const cursor = this.#cursorOf(frame);
    const remaining = cursor.remaining();
    if (remaining > 0) {
      this.truncated = true;
      this.#count += remaining;
      this.shown(moreMarker(remaining), frame.isList ? itemKey : freeKey(cursor));
    }
    cursor.close?.();
    this.#leave(frame);
  }

  /** The cursor of what is left of a container. */
  #cursorOf({ cursor, items, object, names, getters, index }: Frame): Cursor {
    if (cursor !== undefined) return cursor as Cursor;
    if (items === undefined) {
      const all = [...names, ...getters.map(({ name }) => name)];
      // An own property hides a getter of its name.
      const isShown = (name: string, place: number) => place < names.length || !names.includes(name);
      return new PropertyCursor(
        object as object,
        all.filter(isShown),
        this.#secrecyOf,
        all.slice(0, index).filter(isShown).length,
      );
    }
    const rest = new ArrayCursor(items);
    rest.skip(index);
    return rest;
  }

  /** The JSON Pointer of a container by its depth, or of one of its entries, from the root of this document. */
  #pathTo(depth: number, key?: string): string {
    const keys = this.#frames.slice(0, depth).map(currentKey);
    if (key !== undefined) keys.push(key);
    return this.pointerTo(keys);
  }
}
