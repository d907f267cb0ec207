import { types } from 'node:util';
import { hidesScalar, type Masking } from '../masking/masking.ts';
import { everything, nothing, type Secrecy } from '../masking/secret-key.ts';
import { maskMark } from '../masking/secrets.ts';
import { callBeanCode, findToJson } from './bean-code.ts';
import { builtInScalar, bytesOf, type Scalar } from './built-in.ts';
import { inheritedSecrecy } from './container-cursor.ts';
import { type Content, hiddenContent, proxyContent } from './content.ts';
import { iterableCursor } from './cursors.ts';
import { isClosed, type Part } from './json-pointer.ts';
import { closedMarker, functionMarker, newMarker, proxyMarker, referenceMarker, threwMarker } from './markers.ts';
import type { OutlineKind } from './outline-kinds.ts';
import { type ContentOf, className, mayHaveEntries, typeName } from './reflection.ts';
import { base64Within, shownBigInt, textUpTo, wholeCharacters } from './shown-text.ts';

/** A single value, as a text. */
export interface ShownScalar {
  readonly kind: OutlineKind;
  readonly type: string;
  readonly size?: number;
  readonly text: string;
  readonly isCut: boolean;
  readonly target?: string;
}

/** A value with entries. */
export interface ShownContainer {
  readonly kind: OutlineKind;
  readonly type: string;
  readonly container: object;
  /** The objects that it stands for: itself, and the one whose `toJSON` made it. */
  readonly identities: readonly object[];
  /** What of its entries must not be shown, since of itself it must not. */
  readonly secrecy: Secrecy;
}

export type Shown = ShownScalar | ShownContainer;

export interface ClassifyOptions {
  readonly masking: Masking;
  /** How many UTF-16 units of a text. */
  readonly text: number;
  /** The pointers of the containers around the value, and of large ones that were shown before it. */
  readonly shownAt: Pick<WeakMap<object, string>, 'get'>;
  /** What is not shown. */
  readonly closed?: ReadonlySet<object> | undefined;
  readonly contentOf?: ContentOf | undefined;
}

const hidden: ShownScalar = { kind: 'masked', type: '', text: maskMark, isCut: false };
const closedValue: ShownScalar = { kind: 'closed', type: '', text: closedMarker, isCut: false };

/** What a walk shows in the place of a value, with its kind. It makes the same decisions as `Walk`; a test compares the two. */
export function classify({ value, mark, secrecy }: Part, key: string, options: ClassifyOptions): Shown {
  if (secrecy === everything) return hidden;
  if (mark === 'closed' || (isClosed(value, options) && !types.isProxy(value))) return closedValue;
  if (mark === 'limit') return { kind: 'limit', type: '', text: String(value), isCut: false };
  if (mark === 'getter' && !hidesScalar(value, secrecy)) return shownText(String(value), 'limit', 'getter', options);
  if (mark === 'new') return madeAnew(value as object, secrecy, options);
  if (mark !== 'threw' && mayHaveEntries(value)) return object(value, secrecy, key, options);
  if (hidesScalar(value, secrecy)) return hidden;
  return mark === 'threw' ? thrown(String(value), options) : primitive(value, options);
}

function madeAnew(value: object, secrecy: Secrecy, options: ClassifyOptions): ShownScalar {
  const marker = newMarker(value);
  if (hidesScalar(marker, secrecy)) return hidden;
  return shownText(marker, 'limit', options.masking.key(className(value)), options);
}

function thrown(marker: string, options: ClassifyOptions): ShownScalar {
  return marker === proxyMarker ? opaqueProxy : shownText(marker, 'threw', '', options);
}

const opaqueProxy: ShownScalar = { kind: 'other', type: 'Proxy', text: proxyMarker, isCut: false };

function primitive(value: unknown, options: ClassifyOptions): ShownScalar {
  const type = typeName(value);
  switch (typeof value) {
    case 'string':
      return text(value, type, options);
    case 'number':
      return number(value, type, 'number', options);
    case 'bigint':
      return bigInt(value, type, options);
    case 'boolean':
      return { kind: 'boolean', type, text: String(value), isCut: false };
    case 'function':
      return shownText(functionMarker(value), 'function', type, options);
    case 'symbol':
      return shownText(String(value), 'symbol', type, options);
    case 'object':
    case 'undefined':
      return { kind: 'null', type, text: 'null', isCut: false };
  }
}

/** A text that is nothing but a secret is a marker. */
function text(value: string, type: string, options: ClassifyOptions): ShownScalar {
  const { text: shown, isCut } = shownText(value, 'string', type, options);
  if (shown === maskMark && !isCut && value !== maskMark) return { ...hidden, type };
  // Literals, since spreading takes longer than all the rest of this.
  const size = isCut ? wholeLength(value, options.masking) : shown.length;
  return { kind: 'string', type, size, text: shown, isCut };
}

/** Longer texts are not masked only to be counted. */
const longestCounted = 16 * 1024;

/** The characters of a text as it is shown, so that the length of a secret in it is not told. */
function wholeLength(value: string, masking: Masking): number {
  return value.length > longestCounted ? value.length : masking.text(value).length;
}

function shownText(
  value: string,
  kind: OutlineKind,
  type: string,
  { text: longest, masking }: ClassifyOptions,
): ShownScalar {
  if (value.length <= longest) return { kind, type, text: masking.text(value), isCut: false };
  return { kind, type, text: textUpTo(value, wholeCharacters(value, longest), masking), isCut: true };
}

function number(value: number, type: string, kind: OutlineKind, { masking }: ClassifyOptions): ShownScalar {
  if (masking.hidesNumber(value)) return { ...hidden, type };
  return { kind, type, text: String(value), isCut: false };
}

function bigInt(value: bigint, type: string, options: ClassifyOptions): ShownScalar {
  const { masking, text: longest } = options;
  const shown = shownBigInt(value, longest, masking);
  if (shown !== undefined) return { kind: 'bigint', type, ...shown };
  if (masking.hidesNumber(value)) return { ...hidden, type };
  return { kind: 'bigint', type, text: String(value), isCut: false };
}

function object(value: object, secrecy: Secrecy, key: string, options: ClassifyOptions): Shown {
  if (types.isProxy(value)) return secrecy === nothing ? proxy(value, options) : hidden;
  const type = options.masking.key(typeName(value));
  const known = reference(value, type, options);
  if (known !== undefined) return known;
  const content = hiddenContent(value, options.contentOf);
  if (content !== undefined) return made({ value, type, secrecy }, content, options);
  return builtIn(value, secrecy, type, options) ?? container({ value, type, secrecy }, key, options);
}

function proxy(value: object, options: ClassifyOptions): Shown {
  const content = proxyContent(value, options);
  if (content === undefined) return opaqueProxy;
  if (isClosed(value, options)) return closedValue;
  const type = typeName(value);
  const object = { value, type, secrecy: nothing };
  return reference(value, type, options) ?? made(object, { value: content, isThrown: false }, options);
}

function reference(value: object, type: string, { shownAt }: ClassifyOptions): ShownScalar | undefined {
  const target = shownAt.get(value);
  if (target === undefined) return undefined;
  return { kind: 'reference', type, text: referenceMarker(target), isCut: false, target };
}

function builtIn(value: object, secrecy: Secrecy, type: string, options: ClassifyOptions): ShownScalar | undefined {
  const bytes = bytesOf(value);
  if (bytes !== undefined) return secrecy === nothing ? binary(bytes, type, options) : hidden;
  const scalar = builtInScalar(value);
  if (scalar === undefined) return undefined;
  return hidesScalar(scalar, secrecy) ? hidden : scalarOf(value, scalar, type, options);
}

function scalarOf(value: object, scalar: Scalar, type: string, options: ClassifyOptions): ShownScalar {
  if (types.isDate(value)) return date(scalar, type, options);
  if (types.isSymbolObject(value)) return shownText(String(scalar), 'symbol', type, options);
  if (types.isBoxedPrimitive(value)) return { ...primitive(scalar, options), type };
  if (typeof scalar === 'number') return date(scalar, type, options);
  return shownText(String(scalar), 'other', type, options);
}

/** Milliseconds since 1970, as a date; one that is no date has none. */
function date(time: Scalar, type: string, options: ClassifyOptions): ShownScalar {
  if (typeof time !== 'number') return { kind: 'date', type, text: 'Invalid Date', isCut: false };
  const shown = number(time, type, 'date', options);
  const isDate = Math.abs(time) <= 8.64e15;
  return shown.kind === 'date' && isDate
    ? { ...shown, text: options.masking.text(new Date(time).toISOString()) }
    : shown;
}

function binary(bytes: Uint8Array, type: string, { text: longest, masking }: ClassifyOptions): ShownScalar {
  const { text: base64, left } = base64Within(bytes, longest);
  // As far as a secret can reach that begins in what is shown.
  const window = bytes.subarray(0, longest + masking.secrets.longest);
  return { kind: 'binary', type, size: bytes.length, text: masking.bytes(window, () => base64), isCut: left > 0 };
}

interface SecretObject {
  readonly value: object;
  readonly type: string;
  readonly secrecy: Secrecy;
}

/** What `toJSON` returns is not asked for its own, as in `JSON.stringify`. */
function container(object: SecretObject, key: string, options: ClassifyOptions): Shown {
  const { value } = object;
  const toJson = findToJson(value);
  try {
    const shown = toJson === undefined ? value : callBeanCode(toJson, value, [key]);
    return made(object, { value: shown, isThrown: false }, options);
  } catch (error) {
    return made(object, { value: threwMarker(error), isThrown: true }, options);
  }
}

/** What was made of an object to be shown in its place. */
function made(
  { value, type, secrecy }: SecretObject,
  { value: shown, isThrown }: Content,
  options: ClassifyOptions,
): Shown {
  if (isThrown) return secrecy === nothing ? thrown(String(shown), options) : hidden;
  if (!mayHaveEntries(shown) || types.isProxy(shown))
    return { ...classify({ value: shown, mark: undefined, secrecy }, '', options), type };
  if (shown === value) return shownContainer(value, [value], type, secrecy);
  if (isClosed(shown, options)) return closedValue;
  return (
    reference(shown, type, options) ??
    builtIn(shown, secrecy, type, options) ??
    shownContainer(shown, [value, shown], type, secrecy)
  );
}

function shownContainer(shown: object, identities: readonly object[], type: string, secrecy: Secrecy): ShownContainer {
  const kind = containerKind(shown);
  const isList = kind === 'array' || kind === 'set';
  return { kind, type, container: shown, identities, secrecy: inheritedSecrecy({ identities, isList, secrecy }) };
}

function containerKind(value: object): OutlineKind {
  if (types.isMap(value)) return 'map';
  if (types.isSet(value)) return 'set';
  return Array.isArray(value) || iterableCursor(value) !== undefined ? 'array' : 'object';
}
