import { types } from 'node:util';
import { hidesScalar, type Masking } from '../masking/masking.ts';
import { noSecret, type Secrecy } from '../masking/secret-key.ts';
import { maskMark } from '../masking/secrets.ts';
import { builtInScalar, bytesOf, type Scalar } from '../objects/built-in.ts';
import type { Context } from '../objects/context.ts';
import { closedMarker, functionMarker, proxyMarker } from '../objects/markers.ts';
import type { ContentOf } from '../objects/reflection.ts';
import { bigIntText, shownBytes, shownText } from '../objects/shown-text.ts';
import type { Link } from './pointer.ts';

/** The kinds of values. The last five are markers, not data. */
export type OutlineKind =
  | ('object' | 'array' | 'map' | 'set' | 'string' | 'number' | 'bigint' | 'boolean' | 'null' | 'date' | 'binary')
  | ('function' | 'symbol' | 'other' | 'masked' | 'threw' | 'reference' | 'limit' | 'closed');

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
export const scalar = (
  kind: OutlineKind,
  type: string,
  text: string,
  left = 0,
  literal?: ShownScalar['literal'],
  size?: number,
  target?: string,
): ShownScalar => ({ kind, type, text, left, literal, size, target, container: undefined });

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

export const maskedValue = scalar('masked', '', maskMark);
export const closedValue = scalar('closed', '', closedMarker);
export const opaqueProxy = scalar('other', 'Proxy', proxyMarker);

export function text(
  value: string,
  kind: OutlineKind,
  type: string,
  secrecy: Secrecy,
  options: ShownOptions,
): ShownScalar {
  if (secrecy !== noSecret) return maskedValue;
  const { text: shown, left } = shownText(value, options.text, options.masking);
  return scalar(kind, options.masking.key(type), shown, left);
}

export function primitive(value: unknown, type: string, options: ShownOptions): ShownScalar {
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
      return text(functionMarker(value), 'function', type, noSecret, options);
    case 'symbol':
      return text(String(value), 'symbol', type, noSecret, options);
    case 'object':
    case 'undefined':
      return scalar('null', type, 'null', 0, null);
  }
}

/** A text that is nothing but a secret is a marker. */
function string(value: string, type: string, { text: longest, masking }: ShownOptions): ShownScalar {
  const { text: shown, left } = shownText(value, longest, masking);
  if (shown === maskMark && value !== maskMark) return scalar('masked', type, maskMark);
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
  if (digits.length > options.text || digits === '[BigInt]') return text(digits, 'bigint', type, noSecret, options);
  return scalar('bigint', type, digits, 0, value);
}

export function builtIn(value: object, secrecy: Secrecy, type: string, options: ShownOptions): ShownScalar | undefined {
  const bytes = bytesOf(value);
  const single = bytes === undefined ? builtInScalar(value, options.context.classOf(value).isOrdinary) : undefined;
  if (bytes === undefined && single === undefined) return undefined;
  if (bytes !== undefined ? secrecy !== noSecret : hidesScalar(single, secrecy)) return maskedValue;
  if (bytes !== undefined) {
    const { text: shown, left } = shownBytes(bytes, options.text, options.masking);
    return scalar('binary', type, shown, left, undefined, bytes.length);
  }
  if (types.isDate(value) || typeof single === 'number') return date(single as Scalar, type, options);
  if (types.isSymbolObject(value)) return text(String(single), 'symbol', type, noSecret, options);
  if (types.isBoxedPrimitive(value)) return primitive(single, type, options);
  return text(String(single), 'other', type, noSecret, options);
}

/** Milliseconds since 1970; an invalid date has none. */
function date(time: Scalar, type: string, options: ShownOptions): ShownScalar {
  const { masking } = options;
  if (typeof time !== 'number') return scalar('date', type, 'Invalid Date', 0, null);
  if (Math.abs(time) > 8.64e15 || masking.hidesNumber(time)) return number(time, type, 'date', options);
  return scalar('date', type, masking.text(new Date(time).toISOString()), 0, time);
}
