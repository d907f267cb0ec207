import { types } from 'node:util';
import { maskMark } from '../../src/masking/secrets.ts';
import { callToJson, findToJson } from '../../src/walk/bean-code.ts';
import { builtInScalar, bytesOf, numberScalar, type Scalar } from '../../src/walk/built-in.ts';
import { containerCursor, proxyCursor } from '../../src/walk/container-cursor.ts';
import type { ContainerKind, Cursor } from '../../src/walk/cursors.ts';
import { pointerTo } from '../../src/walk/json-pointer.ts';
import { MapCursor, MapEntryListCursor, MapScan } from '../../src/walk/map-cursors.ts';
import {
  closedMarker,
  depthMarker,
  functionMarker,
  moreKey,
  moreMarker,
  proxyMarker,
  referenceMarker,
} from '../../src/walk/markers.ts';
import { type ShownText, shownBigInt, shownBytes, shownText } from '../../src/walk/shown-text.ts';
import type { WalkOptions } from '../../src/walk/walk-options.ts';

/** Receives what a walk finds. A key comes before each value of an object, none before an item of a list. */
export interface Sink {
  key(name: string): void;
  null(): void;
  boolean(value: boolean): void;
  number(value: number | bigint): void;
  text(value: string): void;
  open(kind: ContainerKind): void;
  close(): void;
}

/** Keys of a map that are checked in one step. */
const scanStep = 1000;
/** Entries that are passed over in one step. */
const skipStep = 1000;

interface Frame {
  /** The objects that this container stands for: itself, and the one whose `toJSON` made it. */
  readonly identities: readonly object[];
  cursor: Cursor | MapScan;
  count: number;
  /** How many entries are still to be passed over. */
  skip: number;
}

/**
 * The plain walk: visits a live value step by step, with a stack of its own, and calls a sink for what it finds.
 * It is the reference for the writer, so it stays simple.
 */
export class Walk {
  /** Whether anything was cut. */
  truncated = false;
  readonly #sink: Sink;
  readonly #options: WalkOptions;
  readonly #frames: Frame[] = [];
  readonly #ancestors = new Map<object, number>();
  readonly #hides = (key: string): boolean =>
    this.#options.masking.hidesKey(key, () => this.#options.at + this.#pathTo(this.#frames.length - 1, key));

  constructor(value: unknown, sink: Sink, options: WalkOptions) {
    this.#sink = sink;
    this.#options = options;
    this.#visit(value, '');
  }

  /** Does one small step; false when the document is complete. */
  step(): boolean {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return false;
    if (frame.cursor instanceof MapScan) this.#scan(frame, frame.cursor);
    else if (frame.skip > 0) this.#skip(frame, frame.cursor);
    else if (frame.count >= this.#options.limit) this.#cutFrame(frame.cursor);
    else if (frame.cursor.next()) this.#enter(frame, frame.cursor);
    else this.#leave();
    return true;
  }

  /** Ends early: every open container says what is missing, and is closed. */
  cut(): void {
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      if (frame.cursor instanceof MapScan) this.#openMap(frame, frame.cursor);
      else this.#cutFrame(frame.cursor);
    }
  }

  /** Releases everything at once. */
  abandon(): void {
    for (const { cursor } of this.#frames) {
      if (!(cursor instanceof MapScan)) cursor.close?.();
    }
    this.#frames.length = 0;
    this.#ancestors.clear();
  }

  #skip(frame: Frame, cursor: Cursor): void {
    const count = Math.min(frame.skip, skipStep);
    const isEnd = cursor.skip(count) < count;
    frame.skip = isEnd ? 0 : frame.skip - count;
  }

  #enter(frame: Frame, cursor: Cursor): void {
    frame.count++;
    const { key, value } = cursor;
    if (typeof key === 'string') this.#sink.key(this.#options.masking.key(key));
    const path = () => this.#options.at + this.#pathTo(this.#frames.length - 1, String(key));
    const isHidden = this.#options.masking.hidesEntry(String(key), value, path);
    this.#visit(isHidden ? maskMark : value, String(key));
  }

  #visit(value: unknown, key: string): void {
    if (typeof value === 'object' && value !== null) this.#object(value, key);
    else if (typeof value === 'function') this.#text(this.#isClosed(value) ? closedMarker : functionMarker(value));
    else if (typeof value === 'symbol') this.#text(String(value));
    else if (typeof value === 'number') this.#scalar(numberScalar(value));
    else this.#scalar((value ?? null) as Scalar);
  }

  #object(object: object, key: string): void {
    if (types.isProxy(object)) this.#proxy(object);
    else if (this.#isClosed(object)) this.#text(closedMarker);
    else if (this.#ancestors.has(object)) this.#reference(object);
    else if (!this.#isScalar(object)) this.#containerOf(object, key);
  }

  #isClosed(object: object): boolean {
    return this.#options.closed?.has(object) === true;
  }

  /** Whether an object is a single value; if so, it is written. */
  #isScalar(object: object): boolean {
    const bytes = bytesOf(object);
    const scalar = bytes === undefined ? builtInScalar(object) : undefined;
    if (bytes !== undefined) this.#shown(shownBytes(bytes, this.#options.text, this.#options.masking));
    if (scalar !== undefined) this.#scalar(scalar);
    return bytes !== undefined || scalar !== undefined;
  }

  /** What `toJSON` returns is not asked for its own, as in `JSON.stringify`. */
  #containerOf(object: object, key: string): void {
    const toJson = findToJson(object);
    const value = toJson === undefined ? object : callToJson(toJson, object, key);
    if (typeof value !== 'object' || value === null || types.isProxy(value)) this.#visit(value, '');
    else if (value === object) this.#container(object, [object]);
    else if (this.#isClosed(value)) this.#text(closedMarker);
    else if (this.#ancestors.has(value)) this.#reference(value);
    else if (!this.#isScalar(value)) this.#container(value, [object, value]);
  }

  #container(object: object, identities: readonly object[]): void {
    if (this.#isTooDeep()) return;
    const cursor = containerCursor(object, { hides: this.#hides, stacks: this.#options.stacks });
    this.#push(cursor, identities);
  }

  #proxy(proxy: object): void {
    if (!this.#options.proxies) this.#text(proxyMarker);
    else if (this.#isClosed(proxy)) this.#text(closedMarker);
    else if (this.#ancestors.has(proxy)) this.#reference(proxy);
    else if (!this.#isTooDeep()) this.#enterProxy(proxy);
  }

  #enterProxy(proxy: object): void {
    const cursor = proxyCursor(proxy, this.#hides);
    if (typeof cursor === 'string') this.#text(cursor);
    else this.#push(cursor, [proxy]);
  }

  #isTooDeep(): boolean {
    if (this.#frames.length < this.#options.depth) return false;
    this.truncated = true;
    this.#text(depthMarker);
    return true;
  }

  #push(cursor: Cursor | MapScan, identities: readonly object[]): void {
    for (const identity of identities) this.#ancestors.set(identity, this.#frames.length);
    this.#frames.push({ cursor, identities, count: 0, skip: this.#frames.length === 0 ? this.#options.from : 0 });
    if (!(cursor instanceof MapScan)) this.#sink.open(cursor.kind);
  }

  #leave(): void {
    for (const identity of this.#frames.pop()?.identities ?? []) this.#ancestors.delete(identity);
    this.#sink.close();
  }

  #scan(frame: Frame, scan: MapScan): void {
    if (scan.advance(scanStep)) this.#openMap(frame, scan);
  }

  #openMap(frame: Frame, scan: MapScan): void {
    const { kind, map } = scan;
    frame.cursor = kind === 'list' ? new MapEntryListCursor(map) : new MapCursor(map, this.#hides);
    this.#sink.open(kind);
  }

  #cutFrame(cursor: Cursor): void {
    const remaining = cursor.remaining();
    if (remaining > 0) {
      this.truncated = true;
      if (cursor.kind === 'object') this.#sink.key(freeKey(cursor));
      this.#sink.text(moreMarker(remaining));
    }
    cursor.close?.();
    this.#leave();
  }

  #reference(object: object): void {
    this.#text(referenceMarker(this.#pathTo(this.#ancestors.get(object) as number)));
  }

  #scalar(scalar: Scalar): void {
    if (scalar === null) this.#sink.null();
    else if (typeof scalar === 'string') this.#text(scalar);
    else if (typeof scalar === 'boolean') this.#sink.boolean(scalar);
    else if (typeof scalar === 'bigint') this.#bigInt(scalar);
    else if (this.#options.masking.hidesNumber(scalar)) this.#sink.text(maskMark);
    else this.#sink.number(scalar);
  }

  #bigInt(value: bigint): void {
    const shown = shownBigInt(value, this.#options.text, this.#options.masking);
    if (shown !== undefined) this.#shown(shown);
    else if (this.#options.masking.hidesNumber(value)) this.#sink.text(maskMark);
    else this.#sink.number(value);
  }

  #text(text: string): void {
    this.#shown(shownText(text, this.#options.text, this.#options.masking));
  }

  #shown({ text, isCut }: ShownText): void {
    if (isCut) this.truncated = true;
    this.#sink.text(text);
  }

  /** The JSON Pointer of a container by its depth, or of one of its entries, from the root of this document. */
  #pathTo(depth: number, key?: string): string {
    const keys = this.#frames
      .slice(0, depth)
      .map(({ cursor }) => (cursor instanceof MapScan ? '' : String(cursor.key)));
    if (key !== undefined) keys.push(key);
    return pointerTo(keys.map((each) => this.#options.masking.key(each)));
  }
}

/** A key for the marker that the container does not have itself. */
function freeKey(cursor: Cursor): string {
  let key = moreKey;
  while (cursor.has(key)) key = `_${key}`;
  return key;
}
