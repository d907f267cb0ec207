import { types } from 'node:util';
import type { Masking } from '../masking/masking.ts';
import { nothing } from '../masking/secret-key.ts';
import { handlingCreatedPromises } from '../walk/bean-code.ts';
import { bytesOf } from '../walk/built-in.ts';
import { beanProperties } from '../walk/classes.ts';
import { setSize } from '../walk/entries.ts';
import { mapSize } from '../walk/maps.ts';
import { pointerTo } from '../walk/pointer.ts';
import { isMethod, mayHaveEntries, ownNames, ownProperty } from '../walk/reflection.ts';
import { builtInViews } from './built-in-views.ts';
import { contentBy } from './content.ts';
import { counted, type Glance, type GlanceOptions, glanceBy, maskingFor, scalarOf, viewOf } from './glance.ts';
import { eventEmitter } from './node.ts';
import type { View } from './view.ts';

const mostValues = 3;
/** Of an object with any number of properties. */
const mostNames = 100;
const longestValue = 40;
/** Of which the events of an emitter tell. */
const emitterFields: ReadonlySet<string> = new Set(['_events', '_eventsCount', '_maxListeners']);

/** What can be said of any value; without a view there are no readings. */
export interface State extends Pick<Glance, 'readings' | 'line'>, Partial<Pick<Glance, 'view'>> {}

/**
 * What can be said of the state of any value in one line: what its view says, its first single values, or the number
 * of its entries and the first of their names. Runs no code of an object that has no view.
 */
export function stateLine(value: unknown, options: GlanceOptions = {}): string {
  return stateOf(value, options).line;
}

/** The same line, and what the view reads, if there is one. */
export function stateOf(value: unknown, options: GlanceOptions = {}): State {
  const { views = builtInViews, closed } = options;
  if (closed?.has(value as object)) return { line: '', readings: [] };
  const behind = types.isProxy(value) ? contentBy(views)?.(value as object)?.() : undefined;
  if (behind !== undefined) return stateOf(behind, options);
  const view = viewOf(value, views);
  const masking = maskingFor(value, options);
  if (view === undefined) return { line: entriesLine(value, masking), readings: [] };
  const told = glanceBy(view, value as object, masking);
  // A class that is an emitter besides has more to say than its events.
  if (told.line !== '' && view !== eventEmitter) return told;
  const content = contentOf(value as object, view);
  if (closed?.has(content as object)) return told;
  const line = entriesLine(content, content === value ? masking : maskingFor(content, options));
  return line === '' ? told : { ...told, line };
}

function contentOf(value: object, view: View): unknown {
  if (view.content === undefined) return value;
  try {
    return handlingCreatedPromises(() => view.content?.(value));
  } catch {
    return value;
  }
}

function entriesLine(value: unknown, masking: Masking): string {
  if (types.isProxy(value)) return '';
  if (!mayHaveEntries(value)) return short(value, masking, []) ?? '';
  if (Array.isArray(value)) return counted(value.length, 'entries');
  if (types.isMap(value)) return counted(mapSize(value), 'entries');
  if (types.isSet(value)) return counted(setSize(value), 'entries');
  const bytes = bytesOf(value);
  if (bytes !== undefined) return counted(bytes.length, 'bytes');
  const all = beanProperties(value);
  const first = all.slice(0, mostNames);
  const told = first.filter((name) => !emitterFields.has(name) && !isMethod(ownProperty(value, name)?.value));
  const open = told.filter((name) => !name.startsWith('_'));
  const names = open.length > 0 ? open : told;
  const values = mostTelling(value, names, masking);
  if (values.length > 0) return values.join(', ');
  const count = all.length - first.length + told.length;
  if (count === 0) return eventsLine(value);
  const isNull = (name: string) => ownProperty(value, name)?.value === null;
  const heldFirst = [...names.filter((name) => !isNull(name)), ...names.filter(isNull)];
  const some = heldFirst.slice(0, mostValues).map((name) => cut(masking.key(name)));
  return `${counted(count, 'entries')}: ${some.join(', ')}${count > some.length ? ', …' : ''}`;
}

/** An emitter that is none of Node, such as one of eventemitter3. */
function eventsLine(value: object): string {
  const count: unknown = ownProperty(value, '_eventsCount')?.value;
  return typeof count === 'number' ? counted(count, 'events') : '';
}

/** What one asks of anything first: how it is, which one it is, and what it talks to. */
const telling =
  /^(?:status|state|connected|ready|name|level|model|url|uri|base_?url|endpoint|host|region|database|db_?name|(?:project|service)_?id)$/i;
/** Where objects keep what they were made with. */
const settings = /(?:^|[a-z])(?:options|opts|config|configuration|settings)$/i;

/** The single values that tell most: first those with such names, also among settings; at last what it is not. */
function mostTelling(object: object, names: readonly string[], masking: Masking): string[] {
  const own = names.flatMap((name) => phrase(object, [name], masking));
  const isTelling = ({ name }: Phrase) => telling.test(name);
  const inside = names.filter((name) => settings.test(name)).flatMap((name) => ofSettings(object, name, masking));
  const ranked = [
    ...own.filter(isTelling),
    ...inside.filter(isTelling),
    ...own.filter((each) => !isTelling(each) && !each.isFalse),
    ...own.filter((each) => !isTelling(each) && each.isFalse),
  ];
  const texts = new Map<string, string>();
  for (const { name, text } of ranked) if (!texts.has(name)) texts.set(name, text);
  return [...texts.values()].slice(0, mostValues);
}

interface Phrase {
  readonly name: string;
  readonly text: string;
  readonly isFalse: boolean;
}

function phrase(object: object, path: readonly string[], masking: Masking): Phrase[] {
  const name = path.at(-1) as string;
  const value: unknown = ownProperty(object, name)?.value;
  const text = short(value, masking, path);
  return text === undefined ? [] : [{ name, text: `${cut(masking.key(name))} ${text}`, isFalse: value === false }];
}

function ofSettings(object: object, name: string, masking: Masking): Phrase[] {
  const inner: unknown = ownProperty(object, name)?.value;
  const path = () => pointerTo([name]);
  if (typeof inner !== 'object' || inner === null || types.isProxy(inner)) return [];
  if (masking.secrecyOf(name, path) !== nothing || masking.hidesEntry(name, inner, path)) return [];
  const names = ownNames(inner).slice(0, mostNames);
  return names.flatMap((each) => phrase(inner, [name, each], masking));
}

function short(value: unknown, masking: Masking, path: readonly string[]): string | undefined {
  if (typeof value === 'object' && !types.isDate(value)) return undefined;
  const shown = scalarOf(path.at(-1) ?? '', value, masking, () => pointerTo(path));
  if (shown === undefined || shown === '') return undefined;
  return cut(String(shown));
}

const cut = (text: string) => (text.length > longestValue ? `${text.slice(0, longestValue)}…` : text);
