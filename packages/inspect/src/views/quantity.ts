import { types } from 'node:util';
import { InspectError } from '../errors.ts';
import { hidesScalar, type Masking } from '../masking/masking.ts';
import { nothing, type Secrecy } from '../masking/secret-key.ts';
import { findToJson, handlingCreatedPromises } from '../walk/bean-code.ts';
import { hiddenContent } from '../walk/content.ts';
import { mapHas } from '../walk/intrinsics.ts';
import { ownEntry, type PointerOptions, partAt, pointerTokens, sizeOf } from '../walk/json-pointer.ts';
import { threwMarker } from '../walk/markers.ts';
import type { OutlineKind } from '../walk/outline-kinds.ts';
import { ownProperty } from '../walk/reflection.ts';
import { classify, type Shown } from '../walk/shown-value.ts';
import { maskingFor } from './glance.ts';
import type { Reading } from './view.ts';

/** A value as a number: a boolean is 0 or 1, a container its size. Or why it is none. */
export interface Quantity {
  readonly value?: number;
  /** The most that it can be. */
  readonly of?: number;
  /** A clause, such as `it is a text`. */
  readonly fault?: string;
  readonly why?: 'missing' | 'masked' | 'closed' | 'failed' | 'no number';
}

export type QuantityOptions = Pick<PointerOptions, 'masking' | 'getters' | 'closed' | 'contentOf'>;

const masked: Quantity = { fault: 'it is masked', why: 'masked' };
const noNumber = (fault: string): Quantity => ({ fault, why: 'no number' });

const faults: Partial<Record<OutlineKind, Quantity>> = {
  masked,
  closed: { fault: 'it is closed', why: 'closed' },
  null: noNumber('there is no value'),
  string: noNumber('it is a text'),
  date: noNumber('it is a date'),
  limit: noNumber('its getter is not run'),
};

/** What a JSON Pointer leads to, along what documents show. Nothing beside the pointer is read. Never throws. */
export function quantityAt(root: unknown, at: string, options: QuantityOptions): Quantity {
  return handlingCreatedPromises(() => {
    try {
      return sizeAt(root, at, options) ?? quantityIn(shownAt(root, at, options), root, options);
    } catch (error) {
      if (error instanceof InspectError) return { fault: 'there is nothing at this pointer', why: 'missing' };
      return failed(error, root, options.masking);
    }
  }, options.getters);
}

const nothingShown: ReadonlyMap<object, string> = new Map();
/** Enough for any number. */
const longestText = 64;

/** Literals, since spreading takes longer than all the rest of this. */
function shownAt(root: unknown, at: string, { masking, getters, closed, contentOf }: QuantityOptions): Shown {
  const part = partAt(root, { at, masking, getters, closed, contentOf, stacks: false, proxies: false });
  return classify(part, '', { masking, closed, contentOf, text: longestText, shownAt: nothingShown });
}

/** The `length` of a list and the `size` of a map or a set, which documents do not show as entries. */
function sizeAt(root: unknown, at: string, options: QuantityOptions): Quantity | undefined {
  const [, pointer, name] = /^(.*)\/(length|size)$/s.exec(at) ?? [];
  if (pointer === undefined) return undefined;
  const shown = shownAt(root, pointer, options);
  if (!('container' in shown)) return undefined;
  const { kind, container } = shown;
  const hasSize =
    name === 'length' ? kind === 'array' : kind === 'set' || (kind === 'map' && !mapHas(container, 'size'));
  return hasSize ? { value: sizeOf(container, false) } : undefined;
}

function quantityIn(shown: Shown, root: unknown, { masking }: QuantityOptions): Quantity {
  if ('container' in shown) return { value: sizeOf(shown.container, false) };
  const { kind, text } = shown;
  if (kind === 'boolean') return { value: text === 'true' ? 1 : 0 };
  if (kind === 'number' || kind === 'bigint') return finite(Number(text));
  if (kind === 'threw') return { fault: maskingFor(root, { masking }).text(text), why: 'failed' };
  return faults[kind] ?? noNumber('it is no number');
}

const finite = (value: number): Quantity => (Number.isFinite(value) ? { value } : noNumber(`it is ${value}`));

/** Reads what a reading of a view tells of an object, again and again. */
export class ReadingReader {
  readonly reading: Reading;
  readonly #name: string;
  /** For which the name was judged. */
  #masking: Masking | undefined;
  #secrecy: Secrecy = nothing;

  constructor(name: string, reading: Reading) {
    this.#name = name;
    this.reading = reading;
  }

  /** Never throws. */
  read(object: object, masking: Masking): Quantity {
    return handlingCreatedPromises(() => this.readOurs(object, masking));
  }

  /** The same for an object whose readings make no promises. */
  readOurs(object: object, masking: Masking): Quantity {
    const { reading } = this;
    if (reading.ask === true) return noNumber('it lives elsewhere, and is read only when somebody asks for it');
    try {
      const value = reading.read(object);
      const isSecret = this.#hides(value, masking);
      const most: unknown = reading.of?.(object);
      if (isSecret) return masked;
      const quantity = told(value, masking);
      return typeof most === 'number' && Number.isFinite(most) ? { ...quantity, of: most } : quantity;
    } catch (error) {
      return failed(error, object, masking);
    }
  }

  #hides(value: unknown, masking: Masking): boolean {
    const path = () => `/${this.#name}`;
    if (this.#masking !== masking) {
      this.#secrecy = masking.secrecyOf(this.#name, path);
      this.#masking = masking;
    }
    return hidesScalar(value, this.#secrecy) || (masking.needsPaths && masking.hidesEntry(this.#name, value, path));
  }
}

function told(value: unknown, masking: Masking): Quantity {
  if (typeof value === 'boolean') return { value: value ? 1 : 0 };
  if (typeof value === 'number' || typeof value === 'bigint')
    return masking.hidesNumber(value) ? masked : finite(Number(value));
  if (value === undefined || value === null) return noNumber('there is no value');
  // A list is shown as a table.
  if (Array.isArray(value) && !types.isProxy(value)) return { value: value.length };
  return noNumber(typeof value === 'string' ? 'it is a text' : 'it is no number');
}

/** With the texts masked that the secret keys of the object tell. */
const failed = (error: unknown, object: unknown, masking: Masking): Quantity => ({
  fault: maskingFor(object, { masking }).text(threwMarker(error)),
  why: 'failed',
});

/**
 * Reads the same pointer again and again. As long as the same objects lead to the value, by properties that are shown as
 * they are, only those properties are read: no code runs, and what is secret has been decided.
 */
export class PointerReader {
  readonly #at: string;
  readonly #tokens: readonly string[];
  /** The objects that led to the value, from the root on; last the list, map or set whose size it is. What the application drops is not kept. */
  #trail: readonly WeakRef<object>[] = [];
  #isSize = false;
  /** With what the trail was found; undefined where there is none. */
  #masking: Masking | undefined;

  constructor(at: string) {
    this.#at = at;
    this.#tokens = pointerTokens(at) ?? [];
  }

  /** Undefined where it has to be read anew. */
  readAgain(root: unknown, { closed, masking }: QuantityOptions): number | undefined {
    if (this.#masking !== masking) return undefined;
    const trail = this.#trail;
    const end = this.#isSize ? trail.length - 1 : trail.length;
    let value = root;
    for (let index = 0; index < end; index++) {
      if (value !== trail[index]?.deref() || closed?.has(value as object) === true) return undefined;
      const own = ownProperty(value as object, this.#tokens[index] ?? '');
      if (own?.enumerable !== true) return undefined;
      value = own.value;
    }
    if (this.#isSize) {
      const isSame = value === trail[end]?.deref() && closed?.has(value as object) !== true;
      return isSame ? sizeOf(value as object, false) : undefined;
    }
    if (typeof value === 'boolean') return value ? 1 : 0;
    return typeof value === 'number' && Number.isFinite(value) && !masking.hidesNumber(value) ? value : undefined;
  }

  /** The same as `quantityAt`. */
  readAnew(root: unknown, options: QuantityOptions): Quantity {
    return handlingCreatedPromises(() => {
      const quantity = quantityAt(root, this.#at, options);
      const hasTrail = quantity.value !== undefined && !options.masking.needsPaths && this.#findTrail(root, options);
      this.#masking = hasTrail ? options.masking : undefined;
      return quantity;
    }, options.getters);
  }

  /** False where code of the bean runs on the way, or more is passed than objects. */
  #findTrail(root: unknown, { masking, getters, closed, contentOf }: QuantityOptions): boolean {
    const options = { at: this.#at, masking, getters, closed, contentOf, stacks: false, proxies: false };
    const trail: object[] = [];
    let value = root;
    for (const [index, token] of this.#tokens.entries()) {
      const isLast = index === this.#tokens.length - 1;
      if (isLast && hasSize(value, token)) break;
      const own = ownEntry(value, token, options);
      if (own === undefined) return false;
      trail.push(value as object);
      value = own.value;
    }
    this.#isSize = typeof value === 'object';
    this.#trail = (this.#isSize ? [...trail, value as object] : trail).map((each) => new WeakRef(each));
    return !this.#isSize || isSized(value, options);
  }
}

function hasSize(value: unknown, token: string): boolean {
  if (token === 'length') return Array.isArray(value);
  return token === 'size' && (types.isSet(value) || (types.isMap(value) && !mapHas(value, 'size')));
}

/** Whether it is a list, a map or a set that is shown as it is. */
function isSized(value: unknown, { contentOf }: QuantityOptions): boolean {
  if (types.isProxy(value) || !(Array.isArray(value) || types.isMap(value) || types.isSet(value))) return false;
  return findToJson(value) === undefined && hiddenContent(value, contentOf) === undefined;
}
