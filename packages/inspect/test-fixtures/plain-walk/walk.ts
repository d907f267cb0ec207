import { types } from 'node:util';
import type { ResolvedOptions } from '../../src/inspection-options.ts';
import { hidesScalar } from '../../src/masking/masking.ts';
import { everything, nothing, type Secrecy } from '../../src/masking/secret-key.ts';
import { maskMark } from '../../src/masking/secrets.ts';
import { callToJson, findToJson } from '../../src/walk/bean-code.ts';
import { builtInScalar, bytesOf, numberScalar, type Scalar } from '../../src/walk/built-in.ts';
import { containerCursor, entrySecrecy, inheritedSecrecy, proxyCursor } from '../../src/walk/container-cursor.ts';
import { hiddenContent, proxyContent } from '../../src/walk/content.ts';
import { type ContainerKind, type Cursor, freeKey, shownValueOf, skipSome } from '../../src/walk/cursors.ts';
import { pointerTo } from '../../src/walk/json-pointer.ts';
import { MapCursor, MapEntryListCursor, MapScan } from '../../src/walk/map-cursors.ts';
import {
  closedMarker,
  depthMarker,
  functionMarker,
  moreMarker,
  proxyMarker,
  referenceMarker,
} from '../../src/walk/markers.ts';
import { mayHaveEntries } from '../../src/walk/reflection.ts';
import { cutKey, type ShownText, shownBigInt, shownBytes, shownText } from '../../src/walk/shown-text.ts';
import { manyValues } from '../../src/walk/walk-options.ts';

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

interface Frame {
  /** The objects that this container stands for: itself, and the one whose `toJSON` made it. */
  readonly identities: readonly object[];
  cursor: Cursor | MapScan;
  readonly secrecy: Secrecy;
  /** Its JSON Pointer from the root of this document. */
  readonly path: string;
  /** How many values the document had before those in it. */
  readonly before: number;
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
  readonly #options: ResolvedOptions;
  readonly #frames: Frame[] = [];
  /** The paths of the containers around the value, and of large ones before it. */
  readonly #paths = new Map<object, string>();
  #values = 0;
  readonly #secrecyOf = (key: string): Secrecy =>
    this.#options.masking.secrecyOf(key, () => this.#options.at + this.#pathTo(key), this.#frames.at(-1)?.secrecy);

  constructor(value: unknown, sink: Sink, options: ResolvedOptions) {
    this.#sink = sink;
    this.#options = options;
    this.#visit(value, '', options.secrecy);
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
    this.#paths.clear();
  }

  #skip(frame: Frame, cursor: Cursor): void {
    frame.skip = skipSome(cursor, frame.skip);
  }

  #enter(frame: Frame, cursor: Cursor): void {
    frame.count++;
    this.#values++;
    const { key, value } = cursor;
    if (cursor.mark === 'limit') this.truncated = true;
    if (typeof key === 'string') this.#sink.key(this.#shownKey(key));
    const path = () => this.#options.at + this.#pathTo(String(key));
    const isHidden = this.#options.masking.hidesEntry(String(key), value, path);
    const secrecy = isHidden ? everything : entrySecrecy(cursor, frame.secrecy, this.#secrecyOf);
    this.#visit(shownValueOf(cursor), String(key), secrecy);
  }

  #shownKey(key: string): string {
    const { text, masking } = this.#options;
    const longest = Math.max(200, Math.min(text, 65_536));
    if (key.length <= longest) return masking.key(key);
    this.truncated = true;
    return cutKey(key, longest, masking);
  }

  #visit(value: unknown, key: string, secrecy: Secrecy): void {
    const isObject = mayHaveEntries(value);
    if (secrecy === everything || (!isObject && hidesScalar(value, secrecy))) this.#sink.text(maskMark);
    else if (isObject) this.#object(value, key, secrecy);
    else if (typeof value === 'function') this.#text(this.#isClosed(value) ? closedMarker : functionMarker(value));
    else if (typeof value === 'symbol') this.#text(String(value));
    else if (typeof value === 'number') this.#scalar(numberScalar(value));
    else this.#scalar((value ?? null) as Scalar);
  }

  #object(object: object, key: string, secrecy: Secrecy): void {
    if (types.isProxy(object)) this.#proxy(object, secrecy);
    else if (this.#isClosed(object)) this.#text(closedMarker);
    else if (this.#paths.has(object)) this.#reference(object);
    else this.#unknown(object, key, secrecy);
  }

  #unknown(object: object, key: string, secrecy: Secrecy): void {
    const content = hiddenContent(object, this.#options.contentOf);
    if (content !== undefined) this.#made(object, content.value, secrecy);
    else if (!this.#isScalar(object, secrecy)) this.#containerOf(object, key, secrecy);
  }

  #isClosed(object: object): boolean {
    return this.#options.closed?.has(object) === true;
  }

  /** Whether an object is a single value; if so, it is written. */
  #isScalar(object: object, secrecy: Secrecy): boolean {
    const bytes = bytesOf(object);
    const scalar = bytes === undefined ? builtInScalar(object) : undefined;
    if (bytes !== undefined && secrecy !== nothing) this.#sink.text(maskMark);
    else if (bytes !== undefined) this.#shown(shownBytes(bytes, this.#options.text, this.#options.masking));
    if (scalar !== undefined && hidesScalar(scalar, secrecy)) this.#sink.text(maskMark);
    else if (scalar !== undefined) this.#scalar(scalar);
    return bytes !== undefined || scalar !== undefined;
  }

  /** What `toJSON` returns is not asked for its own, as in `JSON.stringify`. */
  #containerOf(object: object, key: string, secrecy: Secrecy): void {
    const toJson = findToJson(object);
    this.#made(object, toJson === undefined ? object : callToJson(toJson, object, key), secrecy);
  }

  #made(object: object, value: unknown, secrecy: Secrecy): void {
    if (!mayHaveEntries(value) || types.isProxy(value)) this.#visit(value, '', secrecy);
    else if (value === object) this.#container([object], secrecy);
    else if (this.#isClosed(value)) this.#text(closedMarker);
    else if (this.#paths.has(value)) this.#reference(value);
    else if (!this.#isScalar(value, secrecy)) this.#container([object, value], secrecy);
  }

  #container(identities: readonly object[], secrecy: Secrecy): void {
    if (this.#isTooDeep()) return;
    const shown = identities.at(-1) as object;
    const cursor = containerCursor(shown, { secrecyOf: this.#secrecyOf, stacks: this.#options.stacks });
    const isList = !(cursor instanceof MapScan) && cursor.kind === 'list';
    this.#push(cursor, identities, inheritedSecrecy({ identities, isList, secrecy }));
  }

  #proxy(proxy: object, secrecy: Secrecy): void {
    const content = secrecy === nothing ? proxyContent(proxy, this.#options) : undefined;
    if (secrecy !== nothing) this.#sink.text(maskMark);
    else if (content === undefined && !this.#options.proxies) this.#text(proxyMarker);
    else if (this.#isClosed(proxy)) this.#text(closedMarker);
    else if (this.#paths.has(proxy)) this.#reference(proxy);
    else if (content !== undefined) this.#made(proxy, content, nothing);
    else if (!this.#isTooDeep()) this.#enterProxy(proxy);
  }

  #enterProxy(proxy: object): void {
    const cursor = proxyCursor(proxy, this.#secrecyOf);
    if (typeof cursor === 'string') this.#text(cursor);
    else this.#push(cursor, [proxy], nothing);
  }

  #isTooDeep(): boolean {
    if (this.#frames.length < this.#options.depth) return false;
    this.truncated = true;
    this.#text(depthMarker);
    return true;
  }

  #push(cursor: Cursor | MapScan, identities: readonly object[], secrecy: Secrecy): void {
    const around = this.#frames.at(-1);
    const path = around === undefined ? '' : this.#pathTo(keyOf(around));
    for (const identity of identities) this.#paths.set(identity, path);
    const skip = this.#frames.length === 0 ? this.#options.from : 0;
    this.#frames.push({ cursor, identities, secrecy, path, before: this.#values, count: 0, skip });
    if (!(cursor instanceof MapScan)) this.#sink.open(cursor.kind);
  }

  #leave(): void {
    const { identities, before } = this.#frames.pop() as Frame;
    if (this.#values - before <= manyValues) for (const identity of identities) this.#paths.delete(identity);
    this.#sink.close();
  }

  #scan(frame: Frame, scan: MapScan): void {
    if (scan.advance(scanStep)) this.#openMap(frame, scan);
  }

  #openMap(frame: Frame, scan: MapScan): void {
    const { kind, map } = scan;
    frame.cursor = kind === 'list' ? new MapEntryListCursor(map) : new MapCursor(map, this.#secrecyOf);
    this.#sink.open(kind);
  }

  #cutFrame(cursor: Cursor): void {
    const remaining = cursor.remaining();
    if (remaining > 0) {
      this.truncated = true;
      this.#values += remaining;
      if (cursor.kind === 'object') this.#sink.key(freeKey(cursor));
      this.#sink.text(moreMarker(remaining));
    }
    cursor.close?.();
    this.#leave();
  }

  #reference(object: object): void {
    this.#text(referenceMarker(this.#paths.get(object) as string));
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

  /** The JSON Pointer of an entry of the innermost container, from the root of this document. */
  #pathTo(key: string): string {
    return (this.#frames.at(-1)?.path ?? '') + pointerTo([this.#options.masking.key(key)]);
  }
}

const keyOf = ({ cursor }: Frame) => (cursor instanceof MapScan ? '' : String(cursor.key));
