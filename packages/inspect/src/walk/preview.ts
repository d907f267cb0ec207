import { types } from 'node:util';
import type { Masking } from '../masking/masking.ts';
import { everything, nothing, type Secrecy, texts } from '../masking/secret-key.ts';
import { maskMark } from '../masking/secrets.ts';
import { isNamedBefore, type SecrecyOf } from './cursors.ts';
import { mapEntries, setValues } from './intrinsics.ts';
import { mapKeyName } from './map-cursors.ts';
import type { OutlineKind } from './outline-kinds.ts';
import {
  errorProperties,
  findProperty,
  isDictionary,
  isMethod,
  mayHaveEntries,
  ownNames,
  ownProperty,
  typeName,
} from './reflection.ts';
import { type ClassifyOptions, classify } from './shown-value.ts';

interface PreviewOptions extends Pick<ClassifyOptions, 'closed'> {
  readonly kind: OutlineKind;
  readonly secrecyOf: SecrecyOf;
  /** What of items, which have no keys, must not be shown. */
  readonly secrecy: Secrecy;
  readonly masking: Masking;
}

const previewedEntries = 3;
const longestItem = 32;
const nothingShown = new Map<object, string>();

/** The first entries of a container in one line: `{ name: "Ada", age: 36, … }`. Runs no code of the bean: getters are left out. */
export function entriesPreview(container: object, options: PreviewOptions): string {
  const { kind } = options;
  const parts = firstParts(container, options);
  const shown = parts.slice(0, previewedEntries);
  if (parts.length > previewedEntries) shown.push('…');
  const line = shown.join(', ');
  if (kind === 'array' || kind === 'set') return `[${line}]`;
  return line === '' ? '{}' : `{ ${line} }`;
}

/** One more than is shown tells whether there are more. */
function firstParts(container: object, options: PreviewOptions): string[] {
  if (types.isMap(container)) return take(mapEntries(container), ([key, value]) => mapPart(key, value, options));
  if (types.isSet(container)) return take(setValues(container), (value) => item(value, options.secrecy, options));
  if (Array.isArray(container)) return arrayParts(container, options);
  // What a list makes while one goes through it is not made for a preview.
  if (options.kind === 'array') return ['…'];
  return objectParts(container, options);
}

function take<Item>(iterator: Iterator<Item>, show: (item: Item) => string): string[] {
  const parts: string[] = [];
  while (parts.length <= previewedEntries) {
    const { done, value } = iterator.next();
    if (done === true) break;
    parts.push(show(value));
  }
  return parts;
}

function mapPart(key: unknown, value: unknown, options: PreviewOptions): string {
  const name = typeof key === 'object' && key !== null ? item(key, nothing, options) : mapKeyName(key);
  return `${shortKey(name, options)} → ${item(value, options.secrecyOf(name), options)}`;
}

function arrayParts(array: readonly unknown[], options: PreviewOptions): string[] {
  const parts: string[] = [];
  for (let index = 0; index < array.length && index <= previewedEntries; index++) {
    const property = ownProperty(array, index);
    parts.push(
      property === undefined || 'value' in property
        ? item(property?.value, secrecyOfItem(array, index, options), options)
        : '…',
    );
  }
  return parts;
}

function secrecyOfItem(array: readonly unknown[], index: number, { secrecy }: PreviewOptions): Secrecy {
  return secrecy === nothing && isNamedBefore(array, index) ? texts : secrecy;
}

function objectParts(object: object, options: PreviewOptions): string[] {
  const parts: string[] = [];
  for (const name of types.isNativeError(object) ? errorProperties(object, false) : ownNames(object)) {
    if (parts.length > previewedEntries) break;
    const property = findProperty(object, name);
    if (property === undefined || !('value' in property)) continue;
    if (isMethod(property.value) && !isDictionary(object)) continue;
    parts.push(`${shortKey(name, options)}: ${item(property.value, options.secrecyOf(name), options)}`);
  }
  return parts;
}

const shortKey = (key: string, { masking }: PreviewOptions) => short(masking.key(key));

const short = (text: string) => (text.length > longestItem ? `${text.slice(0, longestItem)}…` : text);

/** A single value as itself, anything else by its class. */
function item(value: unknown, secrecy: Secrecy, { masking, closed }: PreviewOptions): string {
  if (secrecy === everything) return maskMark;
  const isShownByClass = mayHaveEntries(value) && closed?.has(value) !== true;
  if (isShownByClass) return short(masking.key(typeName(value)));
  const shown = classify({ value, mark: undefined, secrecy }, '', {
    masking,
    closed,
    text: longestItem,
    shownAt: nothingShown,
  });
  if (!('text' in shown)) return shown.type;
  const { kind, text, isCut } = shown;
  if (kind !== 'string') return isCut ? `${text.slice(0, longestItem)}…` : text;
  return isCut ? `${JSON.stringify(text).slice(0, -1)}…"` : JSON.stringify(text);
}
