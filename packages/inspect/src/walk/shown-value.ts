import { types } from 'node:util';
import { hidesScalar, type Masking } from '../masking/masking.ts';
import { everything, nothing, type Secrecy } from '../masking/secret-key.ts';
import { maskMark } from '../masking/secrets.ts';
import { findToJson } from './bean-code.ts';
import { builtInScalar, bytesOf, type Scalar } from './built-in.ts';
import { isOrdinary } from './classes.ts';
import { collectionBehind, isCollection } from './collections.ts';
import { type Content, hiddenContent } from './content.ts';
import type { Context } from './context.ts';
import { type ContainerKind, containerKind, kindOfEntries } from './entries.ts';
import {
  closedMarker,
  type EntryMark,
  functionMarker,
  newMarker,
  proxyMarker,
  referenceMarker,
  threwMarker,
} from './markers.ts';
import type { OutlineKind } from './outline-kinds.ts';
import { type Link, pointerOf } from './pointer.ts';
import { type ContentOf, className, mayHaveEntries, typeName } from './reflection.ts';
import { bigIntText, shownBytes, shownText } from './shown-text.ts';

/** A part of a value, why it is a marker, if it is one, and what is secret of it. */
export interface Part {
  readonly value: unknown;
  readonly mark?: EntryMark | 'closed' | undefined;
  readonly secrecy: Secrecy;
}

/** A scalar. */
export interface ShownScalar {
  readonly kind: OutlineKind;
  readonly type: string;
  /** The masked text for people. */
  readonly text: string;
  /** How many characters of the text were cut. */
  readonly left: number;
  /** What a document has instead of the text. */
  readonly literal: null | boolean | number | bigint | undefined;
  /** The length of a text, or of binary data in bytes. */
  readonly size: number | undefined;
  /** The place that a reference leads to. */
  readonly target: string | undefined;
  /** Distinguishes it from a container. */
  readonly container: undefined;
}

/** All objects have the same shape, which is faster. */
const scalar = (
  kind: OutlineKind,
  type: string,
  text: string,
  left = 0,
  literal?: ShownScalar['literal'],
  size?: number,
  target?: string,
): ShownScalar => ({ kind, type, text, left, literal, size, target, container: undefined });

/** A value with entries. */
export interface ShownContainer {
  readonly kind: ContainerKind;
  readonly type: string;
  readonly container: object;
  /** The objects that it represents: itself, and the one whose `toJSON` returned it. */
  readonly identities: readonly object[];
  /** The secrecy that its entries inherit. */
  readonly secrecy: Secrecy;
}

export type Shown = ShownScalar | ShownContainer;

export interface ShownOptions {
  readonly context: Context;
  readonly masking: Masking;
  /** The maximum length of a text, in UTF-16 units. */
  readonly text: number;
  /** The places of the parent containers, and of large ones shown before. */
  readonly places?: Pick<WeakMap<object, Link>, 'get'>;
  /** Objects that are not shown. */
  readonly closed?: ReadonlySet<object> | undefined;
  readonly contentOf?: ContentOf | undefined;
}

const hidden = scalar('masked', '', maskMark);
const closedValue = scalar('closed', '', closedMarker);
const opaqueProxy = scalar('other', 'Proxy', proxyMarker);

/** Whether a value is closed. */
export const isClosed = (value: unknown, { closed }: Pick<ShownOptions, 'closed'>): boolean =>
  closed?.has(value as object) === true;

/** Decides what any value is shown as, for documents, outlines and searches. */
export function shownValue({ value, mark, secrecy }: Part, key: string | number, options: ShownOptions): Shown {
  if (secrecy === everything) return hidden;
  if (mark === 'closed' || (options.closed !== undefined && isClosed(value, options) && !types.isProxy(value)))
    return closedValue;
  if (mark === undefined) {
    if (mayHaveEntries(value)) return object(value, secrecy, key, options);
    if (hidesScalar(value, secrecy)) return hidden;
    const content = typeof value === 'function' ? contentOfFunction(value, options) : undefined;
    if (content !== undefined) return made(value as object, typeName(value), secrecy, content, options);
    return primitive(value, typeName(value), options);
  }
  if (mark === 'new') return text(newMarker(value as object), 'limit', className(value as object), secrecy, options);
  if (mark === 'threw' && value === proxyMarker) return secrecy === nothing ? opaqueProxy : hidden;
  return text(String(value), mark === 'threw' ? 'threw' : 'limit', mark === 'threw' ? '' : mark, secrecy, options);
}

function text(value: string, kind: OutlineKind, type: string, secrecy: Secrecy, options: ShownOptions): ShownScalar {
  if (secrecy !== nothing) return hidden;
  const { text: shown, left } = shownText(value, options.text, options.masking);
  return scalar(kind, options.masking.key(type), shown, left);
}

function primitive(value: unknown, type: string, options: ShownOptions): ShownScalar {
  switch (typeof value) {
    case 'string':
      return string(value, type, options);
    case 'number':
      return number(value, type, 'number', options);
    case 'bigint':
      return bigInt(value, type, options);
    case 'boolean':
      return scalar('boolean', type, String(value), 0, value);
    case 'function':
      return text(functionMarker(value), 'function', type, nothing, options);
    case 'symbol':
      return text(String(value), 'symbol', type, nothing, options);
    case 'object':
    case 'undefined':
      return scalar('null', type, 'null', 0, null);
  }
}

/** Own properties of every function: `length`, `name`, `prototype`, `arguments` and `caller`. */
const ownOfFunctions = 5;

/** Of one that a view knows by what else it has. */
function contentOfFunction(value: object, { contentOf, context }: ShownOptions): Content | undefined {
  if (types.isProxy(value) || Object.getOwnPropertyNames(value).length <= ownOfFunctions) return undefined;
  return hiddenContent(value, contentOf, context);
}

/** A text that is nothing but a secret is a marker. */
function string(value: string, type: string, { text: longest, masking }: ShownOptions): ShownScalar {
  if (value.length > longest) return longString(value, type, longest, masking);
  const shown = masking.text(value);
  if (shown === maskMark && value !== maskMark) return scalar('masked', type, maskMark);
  return scalar('string', type, shown, 0, undefined, shown.length);
}

function longString(value: string, type: string, longest: number, masking: Masking): ShownScalar {
  const { text: shown, left } = shownText(value, longest, masking);
  return scalar('string', type, shown, left, undefined, shown.length + left);
}

function number(value: number, type: string, kind: OutlineKind, { masking }: ShownOptions): ShownScalar {
  const digits = String(value);
  if (masking.secrets.isIn(digits)) return scalar('masked', type, maskMark);
  return scalar(kind, type, digits, 0, Number.isFinite(value) ? value : undefined);
}

function bigInt(value: bigint, type: string, options: ShownOptions): ShownScalar {
  const digits = bigIntText(value);
  if (options.masking.secrets.isIn(digits)) return scalar('masked', type, maskMark);
  if (digits.length > options.text || digits === '[BigInt]') return text(digits, 'bigint', type, nothing, options);
  return scalar('bigint', type, digits, 0, value);
}

function object(value: object, secrecy: Secrecy, key: string | number, options: ShownOptions): Shown {
  if (types.isProxy(value)) return secrecy === nothing ? proxy(value, options) : hidden;
  const facts = options.context.classOf(value);
  const type = options.masking.key(typeof value === 'function' ? typeName(value) : facts.name);
  const known = reference(value, type, options);
  if (known !== undefined) return known;
  if (isOrdinary(value, facts) && (facts.isPlain || options.contentOf?.(value) === undefined))
    return { kind: 'object', type, container: value, identities: [value], secrecy: facts.isPlain ? secrecy : nothing };
  if (facts.isCollection && isCollection(value) && !Object.hasOwn(value, 'toJSON'))
    return { kind: kindOfEntries(value), type, container: value, identities: [value], secrecy };
  const collection = collectionBehind(value);
  if (collection !== undefined)
    return { kind: kindOfEntries(collection), type, container: collection, identities: [value], secrecy };
  const content = hiddenContent(value, options.contentOf, options.context);
  if (content !== undefined) return made(value, type, secrecy, content, options);
  if (isCollection(value)) return made(value, type, secrecy, jsonOf(value, key, options), options);
  return builtIn(value, secrecy, type, options) ?? made(value, type, secrecy, jsonOf(value, key, options), options);
}

/** A proxy of a known library is shown as its target. */
function proxy(value: object, options: ShownOptions): Shown {
  const content = options.contentOf?.(value)?.();
  if (content === undefined) return opaqueProxy;
  if (isClosed(value, options)) return closedValue;
  const type = typeName(value);
  return reference(value, type, options) ?? made(value, type, nothing, { value: content, isThrown: false }, options);
}

function reference(value: object, type: string, { places, masking }: ShownOptions): ShownScalar | undefined {
  const place = places?.get(value);
  if (place === undefined) return undefined;
  const target = pointerOf(place, masking);
  return scalar('reference', type, referenceMarker(target), 0, undefined, undefined, target);
}

function builtIn(value: object, secrecy: Secrecy, type: string, options: ShownOptions): ShownScalar | undefined {
  const bytes = bytesOf(value);
  const single = bytes === undefined ? builtInScalar(value, options.context.classOf(value).isOrdinary) : undefined;
  if (bytes === undefined && single === undefined) return undefined;
  if (bytes !== undefined ? secrecy !== nothing : hidesScalar(single, secrecy)) return hidden;
  if (bytes !== undefined) {
    const { text: shown, left } = shownBytes(bytes, options.text, options.masking);
    return scalar('binary', type, shown, left, undefined, bytes.length);
  }
  if (types.isDate(value) || typeof single === 'number') return date(single as Scalar, type, options);
  if (types.isSymbolObject(value)) return text(String(single), 'symbol', type, nothing, options);
  if (types.isBoxedPrimitive(value)) return primitive(single, type, options);
  return text(String(single), 'other', type, nothing, options);
}

/** Milliseconds since 1970; an invalid date has none. */
function date(time: Scalar, type: string, options: ShownOptions): ShownScalar {
  if (typeof time !== 'number') return scalar('date', type, 'Invalid Date', 0, null);
  if (Math.abs(time) > 8.64e15 || options.masking.hidesNumber(time)) return number(time, type, 'date', options);
  return new ShownDate(type, time, options.masking);
}

/** Formats the text lazily, since documents have the number. */
class ShownDate implements ShownScalar {
  readonly kind = 'date';
  readonly type: string;
  readonly left = 0;
  readonly literal: number;
  readonly size = undefined;
  readonly target = undefined;
  readonly container = undefined;
  readonly #masking: Masking;

  constructor(type: string, time: number, masking: Masking) {
    this.type = type;
    this.literal = time;
    this.#masking = masking;
  }

  get text(): string {
    return this.#masking.text(new Date(this.literal).toISOString());
  }
}

/** The result of `toJSON` is not asked for its `toJSON`, as in `JSON.stringify`. */
function jsonOf(value: object, key: string | number, { context }: ShownOptions): Content {
  const toJson = findToJson(value, context);
  try {
    return { value: toJson === undefined ? value : Reflect.apply(toJson, value, [String(key)]), isThrown: false };
  } catch (error) {
    return { value: threwMarker(error), isThrown: true };
  }
}

/** What represents an object. */
function made(
  value: object,
  type: string,
  secrecy: Secrecy,
  { value: shown, isThrown }: Content,
  options: ShownOptions,
): Shown {
  if (isThrown) return text(String(shown), 'threw', '', secrecy, options);
  if (shown === value) return shownContainer(value, [value], type, secrecy, options);
  if (!mayHaveEntries(shown) || types.isProxy(shown))
    return { ...shownValue({ value: shown, secrecy }, '', options), type };
  if (isClosed(shown, options)) return closedValue;
  return (
    reference(shown, type, options) ??
    builtIn(shown, secrecy, type, options) ??
    shownContainer(shown, [value, shown], type, secrecy, options)
  );
}

/**
 * Lists, maps and plain objects inherit the secrecy of their key. Instances of classes do not: their own keys decide.
 */
function shownContainer(
  container: object,
  identities: readonly object[],
  type: string,
  secrecy: Secrecy,
  { context }: ShownOptions,
): ShownContainer {
  const kind = containerKind(container, context);
  const inherits =
    kind !== 'object' || isCollection(container) || identities.every((each) => context.classOf(each).isPlain);
  return { kind, type, container, identities, secrecy: inherits ? secrecy : nothing };
}
