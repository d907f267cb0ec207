import { types } from 'node:util';
import { InspectError } from '../errors.ts';
import { hidesScalar, type Masking } from '../masking/masking.ts';
import { handlingCreatedPromises } from '../walk/bean-code.ts';
import { mapHas } from '../walk/intrinsics.ts';
import { type PointerOptions, partAt, sizeOf } from '../walk/json-pointer.ts';
import { threwMarker } from '../walk/markers.ts';
import type { OutlineKind } from '../walk/outline-kinds.ts';
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

/** What a reading of a view tells of an object. Never throws. */
export function quantityOf(object: object, name: string, reading: Reading, masking: Masking): Quantity {
  if (reading.ask === true) return noNumber('it lives elsewhere, and is read only when somebody asks for it');
  try {
    return handlingCreatedPromises(() => {
      const value = reading.read(object);
      const path = () => `/${name}`;
      const isSecret = hidesScalar(value, masking.secrecyOf(name, path)) || masking.hidesEntry(name, value, path);
      const most: unknown = reading.of?.(object);
      const of = typeof most === 'number' && Number.isFinite(most) ? { of: most } : {};
      return isSecret ? masked : { ...told(value, masking), ...of };
    });
  } catch (error) {
    return failed(error, object, masking);
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
