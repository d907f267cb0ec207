import { types } from 'node:util';
import { Masking, type MaskingOptions } from '../masking/masking.ts';
import { maskMark } from '../masking/secrets.ts';
import { handlingCreatedPromises } from '../objects/bean-code.ts';
import { Context } from '../objects/context.ts';
import { threwMarker } from '../objects/markers.ts';
import type { PrivateFieldsOf } from '../objects/private-fields.ts';
import { pointerTo } from '../walk/pointer.ts';
import { learningMasking } from '../walk/secret-scan.ts';
import { shownValue } from '../walk/shown-value.ts';
import { builtInViews } from './built-in-views.ts';
import { contentBy, firstMatch } from './content.ts';
import type { Reading, View } from './view.ts';

/** The readings of an object, as its view defines them. */
export interface Glance {
  /** The name of the view. */
  readonly view: string;
  readonly readings: readonly GlanceReading[];
  /** The same in one line, such as `12 of 20 connections, 3 idle, 0 waiting`; may be empty. */
  readonly line: string;
}

export type ReadingValue = number | string | boolean;

export interface GlanceReading {
  readonly name: string;
  /** Masked; undefined if it was not asked for yet or could not be read. */
  readonly value?: ReadingValue;
  /** A list of objects, as a table. */
  readonly rows?: readonly Readonly<Record<string, ReadingValue>>[];
  readonly of?: number;
  readonly unit?: string;
  readonly isSetting: boolean;
  /** Whether only `ask` reads it. */
  readonly ask: boolean;
  readonly metric?: string;
  readonly description?: string;
  /** When `ask` read it last. */
  readonly askedAt?: string;
  /** Why there is no value. */
  readonly fault?: string;
}

interface Answer {
  readonly value?: unknown;
  readonly fault?: string;
}

/** The last answers, by object and reading. */
const answers = new WeakMap<object, Map<string, Answer & { readonly askedAt: string }>>();

export function keepAnswer(object: object, name: string, answer: Answer): void {
  const known = answers.get(object) ?? new Map();
  answers.set(object, known.set(name, { ...answer, askedAt: new Date().toISOString() }));
}

/** The first view that matches a value. */
export function viewOf(value: unknown, views: readonly View[]): View | undefined {
  return isInspectable(value) ? firstMatch(views, value) : undefined;
}

function isInspectable(value: unknown): value is object {
  return ((typeof value === 'object' && value !== null) || typeof value === 'function') && !types.isProxy(value);
}

export interface GlanceOptions extends MaskingOptions {
  /** The views; the built-in ones by default. */
  readonly views?: readonly View[] | undefined;
  /** Instead of `mask`, `reveal` and `secrets`. */
  readonly masking?: Masking | undefined;
  /** Closed objects and functions. */
  readonly closed?: ReadonlySet<object> | undefined;
  /** Reads private fields (`#x`), which a line then includes. */
  readonly privateFields?: PrivateFieldsOf | undefined;
}

/** The masking of the options, with the texts learned from secret keys of the object. */
export const maskingFor = (value: unknown, options: GlanceOptions): Masking =>
  learningMasking(value, options.masking ?? new Masking(options), new Context());

/** The readings of an object by the first view that matches, with the last answers of `ask` for remote ones. */
export function glance(value: unknown, options: GlanceOptions = {}): Glance | undefined {
  const { views = builtInViews, closed } = options;
  if (closed?.has(value as object)) return undefined;
  const target = types.isProxy(value) ? contentBy(views)?.(value as object)?.() : undefined;
  if (target !== undefined) return glance(target, options);
  const view = viewOf(value, views);
  return view === undefined ? undefined : glanceBy(view, value as object, maskingFor(value, options));
}

export function glanceBy(view: View, value: object, masking: Masking): Glance {
  const readings = Object.entries(view.readings ?? {}).map(([name, reading]) =>
    handlingCreatedPromises(() => readOne(name, reading, value, masking)),
  );
  return { view: view.name, readings, line: lineOf(readings) };
}

export function readOne(name: string, reading: Reading, value: object, masking: Masking): GlanceReading {
  const { unit, metric, description, isSetting = false, ask = false } = reading;
  const facts = {
    name,
    isSetting,
    ask,
    ...(unit === undefined ? {} : { unit }),
    ...(metric === undefined ? {} : { metric }),
    ...(description === undefined ? {} : { description }),
  };
  const answer = ask ? answers.get(value)?.get(name) : undefined;
  if (ask && answer === undefined) return facts;
  try {
    const of = reading.of?.(value);
    const max = typeof of === 'number' && Number.isFinite(of) ? { of } : {};
    if (answer === undefined) return { ...facts, ...max, ...shown(name, reading.read(value), masking) };
    const { fault, askedAt } = answer;
    const result = fault === undefined ? shown(name, answer.value, masking) : { fault: masking.text(fault) };
    return { ...facts, askedAt, ...max, ...result };
  } catch (error) {
    return { ...facts, fault: masking.text(threwMarker(error)) };
  }
}

const longestText = 200;
/** How much of a text is masked before it is cut, since half a secret is not recognised. */
const longestMasked = 16 * 1024;
const maxRows = 1000;

type Shown = Pick<GlanceReading, 'value' | 'rows' | 'fault'>;

function shown(name: string, value: unknown, masking: Masking): Shown {
  if (value === undefined || value === null) return {};
  if (types.isPromise(value)) return { fault: 'it returned a promise' };
  if (types.isProxy(value)) return { fault: 'it is no single value' };
  if (Array.isArray(value)) return { rows: value.slice(0, maxRows).map((row: unknown) => rowOf(row, masking)) };
  const single = scalarOf(name, value, masking);
  return single === undefined ? { fault: 'it is no single value' } : { value: single };
}

function rowOf(row: unknown, masking: Masking): Record<string, ReadingValue> {
  if (typeof row !== 'object' || row === null || types.isProxy(row)) return { value: scalarOf('', row, masking) ?? '' };
  return Object.fromEntries(
    Object.entries(row).map(([name, value]): [string, ReadingValue] => [
      masking.key(name),
      scalarOf(name, value, masking) ?? '',
    ]),
  );
}

const singleTypes: ReadonlySet<string> = new Set(['string', 'number', 'bigint', 'boolean']);

/** A scalar as documents show it under a key; undefined for anything else. */
export function scalarOf(
  name: string,
  value: unknown,
  masking: Masking,
  path = () => pointerTo([name]),
): ReadingValue | undefined {
  if (!types.isDate(value) && !singleTypes.has(typeof value)) return undefined;
  if (masking.hidesEntry(name, value, path)) return maskMark;
  const options = { context: new Context('none'), masking, text: longestMasked };
  const shown = shownValue({ value, secrecy: masking.secrecyOf(name, path) }, name, options);
  if (shown.container !== undefined) return undefined;
  const { kind, literal, text } = shown;
  if (typeof literal === 'boolean' || (typeof literal === 'number' && kind === 'number')) return literal;
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}

/** How many readings a line has. */
const maxInLine = 4;

/** Selects the readings for a line: those that change, or if there are none, settings; without flags that are false, and without remote values. */
function lineOf(readings: readonly GlanceReading[]): string {
  const available = readings.filter(
    ({ value, rows, ask }) => !ask && ((value !== undefined && value !== false && value !== '') || rows !== undefined),
  );
  const changing = available.filter(({ isSetting }) => !isSetting);
  const firstSetting = available.find(({ isSetting }) => isSetting);
  const shown = changing.length > 0 ? changing : available;
  if (changing.length === 1 && changing[0]?.name === 'state' && firstSetting !== undefined) shown.push(firstSetting);
  return shown.slice(0, maxInLine).map(phrase).join(', ');
}

/** `12 of 20 connections`, `level info`, `paused`, `14 routes`. */
function phrase({ name, value, rows, of, unit, isSetting }: GlanceReading): string {
  const label = labelOf(name).toLowerCase();
  if (rows !== undefined) return counted(rows.length, label);
  if (typeof value === 'boolean') return label;
  if (typeof value === 'string') return name === 'state' ? value : `${label} ${value}`;
  const [scale, scaledUnit] = scaled(Number(value), unit);
  const scaledValue = Number(value) / scale;
  const number = Number(scaledValue.toPrecision(Number.isInteger(scaledValue) ? 21 : 3));
  if (unit === '%') return `${label} ${Math.round(number)} %`;
  if (scaledUnit !== undefined || isSetting || !Number.isInteger(value))
    return `${label} ${number}${scaledUnit === undefined ? '' : ` ${scaledUnit}`}`;
  return of === undefined ? counted(number, label) : `${number} of ${counted(of, label)}`;
}

/** Larger units for large numbers. */
const larger: Readonly<Record<string, readonly (readonly [number, string])[]>> = {
  bytes: [
    [1e9, 'GB'],
    [1e6, 'MB'],
    [1e3, 'kB'],
  ],
  ms: [
    [60_000, 'min'],
    [1000, 's'],
  ],
  s: [
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'min'],
  ],
};

/** The divisor and the unit to show a number in. */
export function scaled(value: number, unit: string | undefined): readonly [number, string | undefined] {
  return larger[unit ?? '']?.find(([factor]) => value >= factor) ?? [1, unit];
}

export function counted(count: number, label: string): string {
  return `${count} ${count === 1 ? label.replace(/ies$/, 'y').replace(/(s)es$|([^s])s$/, '$1$2') : label}`;
}

/** `inUse` as `In use`. */
export function labelOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^cpu\b/, 'CPU');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
