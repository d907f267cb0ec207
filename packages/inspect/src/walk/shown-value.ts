import { types } from 'node:util';
import { type ContainerKind, containerKind, kindOfEntries } from '../entries/entries.ts';
import { collectionBehind } from '../entries/properties.ts';
import { hidesScalar } from '../masking/masking.ts';
import { allSecret, noSecret, type Secrecy } from '../masking/secret-key.ts';
import { callBeanCode, findToJson } from '../objects/bean-code.ts';
import { isOrdinary } from '../objects/classes.ts';
import { type EntryMark, newMarker, proxyMarker, referenceMarker, threwMarker } from '../objects/markers.ts';
import { className, isCollection, mayHaveEntries, typeName } from '../objects/reflection.ts';
import { type Content, hiddenContent } from './hidden-content.ts';
import { pointerOf } from './pointer.ts';
import {
  builtIn,
  closedValue,
  maskedValue,
  opaqueProxy,
  primitive,
  type ShownOptions,
  type ShownScalar,
  scalar,
  text,
} from './shown-scalar.ts';

/** A part of a value, why it is a marker, if it is one, and what is secret of it. */
export interface Part {
  readonly value: unknown;
  readonly mark?: EntryMark | 'closed' | undefined;
  readonly secrecy: Secrecy;
}

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

export const isClosed = (value: unknown, { closed }: Pick<ShownOptions, 'closed'>): boolean =>
  closed?.has(value as object) === true;

/** Decides how any value is shown in documents, outlines and searches. */
export function shownValue({ value, mark, secrecy }: Part, key: string | number, options: ShownOptions): Shown {
  if (secrecy === allSecret) return maskedValue;
  if (mark === 'closed' || (options.closed !== undefined && isClosed(value, options) && !types.isProxy(value)))
    return closedValue;
  if (mark === undefined) {
    if (mayHaveEntries(value)) return object(value, secrecy, key, options);
    if (hidesScalar(value, secrecy)) return maskedValue;
    const content = typeof value === 'function' ? contentOfFunction(value, options) : undefined;
    if (content !== undefined) return shownAs(value as object, typeName(value), secrecy, content, options);
    return primitive(value, typeName(value), options);
  }
  if (mark === 'new') return text(newMarker(value as object), 'limit', className(value as object), secrecy, options);
  if (mark === 'threw' && value === proxyMarker) return secrecy === noSecret ? opaqueProxy : maskedValue;
  return text(String(value), mark === 'threw' ? 'threw' : 'limit', mark === 'threw' ? '' : mark, secrecy, options);
}

/** Own properties of every function: `length`, `name`, `prototype`, `arguments` and `caller`. */
const standardProperties = 5;

/** The content of a function with further properties, by which a view recognises it. */
function contentOfFunction(value: object, { contentOf, context }: ShownOptions): Content | undefined {
  if (types.isProxy(value) || Object.getOwnPropertyNames(value).length <= standardProperties) return undefined;
  return hiddenContent(value, contentOf, context);
}

function object(value: object, secrecy: Secrecy, key: string | number, options: ShownOptions): Shown {
  if (types.isProxy(value)) return secrecy === noSecret ? proxy(value, options) : maskedValue;
  const facts = options.context.classOf(value);
  const type = options.masking.key(typeof value === 'function' ? typeName(value) : facts.name);
  const known = reference(value, type, options);
  if (known !== undefined) return known;
  if (isOrdinary(value, facts) && (facts.isPlain || options.contentOf?.(value) === undefined))
    return { kind: 'object', type, container: value, identities: [value], secrecy: facts.isPlain ? secrecy : noSecret };
  if (facts.isCollection && isCollection(value) && !Object.hasOwn(value, 'toJSON'))
    return { kind: kindOfEntries(value), type, container: value, identities: [value], secrecy };
  const collection = collectionBehind(value);
  if (collection !== undefined)
    return { kind: kindOfEntries(collection), type, container: collection, identities: [value], secrecy };
  const content = hiddenContent(value, options.contentOf, options.context);
  if (content !== undefined) return shownAs(value, type, secrecy, content, options);
  const single = isCollection(value) ? undefined : builtIn(value, secrecy, type, options);
  return single ?? shownAs(value, type, secrecy, jsonOf(value, key, options), options);
}

/** A proxy of a known library is shown as its target. */
function proxy(value: object, options: ShownOptions): Shown {
  const content = options.contentOf?.(value)?.();
  if (content === undefined) return opaqueProxy;
  if (isClosed(value, options)) return closedValue;
  const type = typeName(value);
  return (
    reference(value, type, options) ?? shownAs(value, type, noSecret, { value: content, isThrown: false }, options)
  );
}

function reference(value: object, type: string, { places, masking }: ShownOptions): ShownScalar | undefined {
  const place = places?.get(value);
  if (place === undefined) return undefined;
  const target = pointerOf(place, masking);
  return scalar('reference', type, referenceMarker(target), 0, undefined, undefined, target);
}

/** The result of `toJSON` is not asked for its `toJSON`, as in `JSON.stringify`. */
function jsonOf(value: object, key: string | number, { context }: ShownOptions): Content {
  const toJson = findToJson(value, context);
  try {
    return { value: toJson === undefined ? value : callBeanCode(toJson, value, [String(key)]), isThrown: false };
  } catch (error) {
    return { value: threwMarker(error), isThrown: true };
  }
}

/** Shows an object as its content, which may be the object itself. */
function shownAs(
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
  return { kind, type, container, identities, secrecy: inherits ? secrecy : noSecret };
}
