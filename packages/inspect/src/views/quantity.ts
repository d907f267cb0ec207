import { types } from 'node:util';
import { sizeOf } from '../entries/entries.ts';
import { InspectError } from '../errors.ts';
import type { Masking } from '../masking/masking.ts';
import { handlingCreatedPromises } from '../objects/bean-code.ts';
import { Context } from '../objects/context.ts';
import { threwMarker } from '../objects/markers.ts';
import type { GetterPolicy } from '../objects/reflection.ts';
import { type PointerOptions, partAt } from '../walk/json-pointer.ts';
import type { OutlineKind } from '../walk/shown-scalar.ts';
import { type Shown, shownValue } from '../walk/shown-value.ts';
import { maskingFor } from './glance.ts';
import type { Reading } from './view.ts';

/** A value as a number (a boolean is 0 or 1, a container its size), or why it has none. */
export interface Quantity {
  readonly value?: number;
  /** Its maximum. */
  readonly of?: number;
  /** A clause, such as `it is a text`. */
  readonly fault?: string;
  readonly why?: 'missing' | 'masked' | 'closed' | 'failed' | 'no number';
}

type SharedOptions = 'masking' | 'closed' | 'contentOf';

export interface QuantityOptions extends Pick<PointerOptions, SharedOptions> {
  readonly getters: GetterPolicy;
}

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

/** Long enough for any number. */
const longestText = 64;

/** The value at a JSON Pointer, by the entries that documents show. Reads nothing else. Never throws. */
export function quantityAt(root: unknown, at: string, options: QuantityOptions): Quantity {
  const { masking, closed, contentOf, getters } = options;
  const context = new Context(getters);
  const all = { context, masking, closed, contentOf, at, stacks: false, text: longestText };
  return context.run(() => {
    try {
      return sizeAt(root, all) ?? quantityIn(shownAt(root, all), root, context, masking);
    } catch (error) {
      if (error instanceof InspectError) return { fault: 'there is nothing at this pointer', why: 'missing' };
      return failed(threwMarker(error), root, masking);
    }
  });
}

const shownAt = (root: unknown, options: PointerOptions): Shown => shownValue(partAt(root, options), '', options);

/** The `length` of a list and the `size` of a map or a set, which documents do not show as entries. */
function sizeAt(root: unknown, options: PointerOptions): Quantity | undefined {
  const [, pointer, name] = /^(.*)\/(length|size)$/s.exec(options.at) ?? [];
  const shown = pointer === undefined ? undefined : shownAt(root, { ...options, at: pointer });
  if (shown === undefined || shown.container === undefined) return undefined;
  const { kind, container } = shown;
  const isSized =
    name === 'length' ? kind === 'array' : kind === 'set' || (types.isMap(container) && !container.has(name));
  return isSized ? { value: sizeOf(container, options.context, kind) } : undefined;
}

function quantityIn(shown: Shown, root: unknown, context: Context, masking: Masking): Quantity {
  if (shown.container !== undefined) return { value: sizeOf(shown.container, context, shown.kind) };
  const { kind, text } = shown;
  if (kind === 'boolean') return { value: text === 'true' ? 1 : 0 };
  if (kind === 'number' || kind === 'bigint') return finite(Number(text));
  return kind === 'threw' ? failed(text, root, masking) : (faults[kind] ?? noNumber('it is no number'));
}

const finite = (value: number): Quantity => (Number.isFinite(value) ? { value } : noNumber(`it is ${value}`));

/** Masks the texts learned from secret keys of the object. */
const failed = (marker: string, object: unknown, masking: Masking): Quantity => ({
  fault: maskingFor(object, { masking }).text(marker),
  why: 'failed',
});

/** The value of a reading. Never throws. */
export function quantityOf(name: string, reading: Reading, object: object, masking: Masking): Quantity {
  if (reading.ask === true) return noNumber('it lives elsewhere, and is read only when somebody asks for it');
  const path = () => `/${name}`;
  return handlingCreatedPromises(() => {
    try {
      const value = reading.read(object);
      if (masking.hidesEntry(name, value, path)) return masked;
      const context = new Context('none');
      const part = { value, secrecy: masking.secrecyOf(name, path) };
      const shown = shownValue(part, name, { context, masking, text: longestText });
      const of = reading.of?.(object);
      return { ...quantityIn(shown, object, context, masking), ...(Number.isFinite(of) ? { of: of as number } : {}) };
    } catch (error) {
      return failed(threwMarker(error), object, masking);
    }
  });
}
