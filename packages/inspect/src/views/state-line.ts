import { types } from 'node:util';
import { setSize } from '../entries/entries.ts';
import { mapSize } from '../entries/maps.ts';
import type { Masking } from '../masking/masking.ts';
import { noSecret } from '../masking/secret-key.ts';
import { handlingCreatedPromises } from '../objects/bean-code.ts';
import { bytesOf } from '../objects/built-in.ts';
import { beanProperties } from '../objects/classes.ts';
import { Context } from '../objects/context.ts';
import { mayHavePrivateFields, type PrivateFields } from '../objects/private-fields.ts';
import { isCollection, isMethod, isPlainObject, mayHaveEntries, ownNames, ownProperty } from '../objects/reflection.ts';
import { pointerTo } from '../walk/pointer.ts';
import { builtInViews } from './built-in-views.ts';
import { contentBy } from './content.ts';
import { counted, type Glance, type GlanceOptions, glanceBy, maskingFor, scalarOf, viewOf } from './glance.ts';
import { eventEmitter } from './node.ts';
import type { View } from './view.ts';

const maxValues = 3;
/** How many properties of an object are considered. */
const maxNames = 100;
const longestValue = 40;
/** Internal fields of emitters, which the line of their events replaces. */
const emitterFields: ReadonlySet<string> = new Set(['_events', '_eventsCount', '_maxListeners']);

/** The state of any value; without a view there are no readings. */
export interface State extends Pick<Glance, 'readings' | 'line'>, Partial<Pick<Glance, 'view'>> {}

/**
 * The state of any value in one line: that of its view, its most important scalars, or the number of its entries and
 * the first of their names. Runs no code of an object that has no view.
 */
export function stateLine(value: unknown, options: GlanceOptions = {}): string {
  return stateOf(value, options).line;
}

/** The same line, and the readings of the view, if there is one. */
export function stateOf(value: unknown, options: GlanceOptions = {}): State {
  const { views = builtInViews, closed, privateFields } = options;
  if (closed?.has(value as object)) return { line: '', readings: [] };
  const target = types.isProxy(value) ? contentBy(views)?.(value as object)?.() : undefined;
  if (target !== undefined) return stateOf(target, options);
  const view = viewOf(value, views);
  const masking = maskingFor(value, options);
  const context = new Context('none', privateFields);
  const lineOf = (object: unknown, texts: Masking) => entriesLine(object, texts, context);
  if (view === undefined) return { line: lineOf(value, masking), readings: [] };
  const glanced = glanceBy(view, value as object, masking);
  // An instance of a subclass of EventEmitter is described by its properties rather than by its events.
  if (glanced.line !== '' && view !== eventEmitter) return glanced;
  const content = contentOf(value as object, view);
  if (closed?.has(content as object)) return glanced;
  const line = lineOf(content, content === value ? masking : maskingFor(content, options));
  return line === '' ? glanced : { ...glanced, line };
}

function contentOf(value: object, view: View): unknown {
  if (view.content === undefined) return value;
  try {
    return handlingCreatedPromises(() => view.content?.(value));
  } catch {
    return value;
  }
}

function entriesLine(value: unknown, masking: Masking, context: Context): string {
  if (types.isProxy(value)) return '';
  if (!mayHaveEntries(value)) return short(value, masking, []) ?? '';
  if (isCollection(value)) {
    const line = collectionLine(value, masking);
    if (!line.startsWith('0 ') || !mayHavePrivateFields(value)) return line;
  }
  const bytes = bytesOf(value);
  if (bytes !== undefined) return counted(bytes.length, 'bytes');
  const fields = context.fieldsOf(value);
  const all = isCollection(value)
    ? [...fields.keys()]
    : [...beanProperties(value, context.classOf(value)), ...fields.keys()];
  const first = all.slice(0, maxNames);
  const candidates = first.filter((name) => !emitterFields.has(name) && !isMethod(fieldOf(value, name, fields)));
  if (candidates.length === 0 && all.length > 0 && !all.some((name) => emitterFields.has(name)))
    return functionsLine(all, masking);
  const open = candidates.filter((name) => !name.startsWith('_'));
  const names = open.length > 0 ? open : candidates;
  const values = mostImportant(value, candidates, fields, masking);
  if (values.length > 0) return values.join(', ');
  const count = all.length - first.length + candidates.length;
  if (count === 0) return eventsLine(value);
  const isNull = (name: string) => fieldOf(value, name, fields) === null;
  const presentFirst = [...names.filter((name) => !isNull(name)), ...names.filter(isNull)];
  const some = presentFirst.slice(0, maxValues).map((name) => cut(masking.key(name)));
  return `${counted(count, 'entries')}: ${some.join(', ')}${count > some.length ? ', …' : ''}`;
}

function collectionLine(value: object, masking: Masking): string {
  if (!types.isMap(value)) return counted(sizeOf(value), 'entries');
  const functions: string[] = [];
  for (const [key, entry] of Map.prototype.entries.call(value)) {
    if (typeof key !== 'string' || !isMethod(entry)) return counted(mapSize(value), 'entries');
    if (functions.push(key) >= maxNames) break;
  }
  return functions.length > 0 ? functionsLine(functions, masking, mapSize(value)) : '0 entries';
}

const sizeOf = (collection: object): number =>
  Array.isArray(collection) ? collection.length : types.isMap(collection) ? mapSize(collection) : setSize(collection);

/** The line of an object or map that has only functions. */
function functionsLine(names: readonly string[], masking: Masking, count = names.length): string {
  const some = names.slice(0, maxValues).map((name) => cut(masking.key(name)));
  return `${counted(count, 'functions')}: ${some.join(', ')}${count > some.length ? ', …' : ''}`;
}

/** The number of functions in an object that has nothing else; 0 for other objects. */
function functionsIn(value: object): number {
  if (!isPlainObject(value)) return 0;
  const names = ownNames(value);
  return names.slice(0, maxNames).every((name) => isMethod(ownProperty(value, name)?.value)) ? names.length : 0;
}

const fieldOf = (object: object, name: string, fields: PrivateFields): unknown =>
  fields.has(name) ? fields.get(name) : ownProperty(object, name)?.value;

/** For emitters of other libraries, such as eventemitter3. */
function eventsLine(value: object): string {
  const count: unknown = ownProperty(value, '_eventsCount')?.value;
  return typeof count === 'number' ? counted(count, 'events') : '';
}

/** Names that are shown first: of a state, of an identity, and of an address to connect to. */
const importantName =
  /^(?:status|state|connected|ready|name|level|model|(?:api_?)?host|port|endpoint|region|database|db_?name|(?:project|service)_?id)$|(?:^|[a-z]_?)ur[il]$/i;
/** Names of properties with the options of an object. */
const settingsName = /(?:^|[a-z])(?:options|opts|config|configuration|settings)$/i;

/** Phrases with a lower rank come first. `internal` includes flags that are true, `notSet` are those that are false. */
const ranks = { important: 0, importantSetting: 1, value: 2, contents: 3, internal: 4, notSet: 5 };

interface Phrase {
  readonly name: string;
  readonly text: string;
  readonly rank: number;
}

function mostImportant(object: object, names: readonly string[], fields: PrivateFields, masking: Masking): string[] {
  const phrases = names.flatMap((name) => {
    const value = fieldOf(object, name, fields);
    const inside = settingsName.test(name) ? importantSettings(value, name, masking) : [];
    return [...phrase([name], value, masking), ...contents(name, value, masking), ...inside];
  });
  const texts = new Map<string, string>();
  for (const { name, text } of phrases.sort((a, b) => a.rank - b.rank)) if (!texts.has(name)) texts.set(name, text);
  return [...texts.values()].slice(0, maxValues);
}

const withoutUnderscore = (key: string) => key.replace(/^_+(?=.)/, '');

/** The number of entries in a collection, or of functions in an object that has nothing else. */
function contents(key: string, value: unknown, masking: Masking): Phrase[] {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return [];
  const [count, label] = isCollection(value) ? [sizeOf(value), 'entries'] : [functionsIn(value), 'functions'];
  const name = withoutUnderscore(key);
  const text = `${cut(masking.key(name))}: ${counted(count, label)}`;
  return count === 0 ? [] : [{ name, text, rank: ranks.contents }];
}

function phrase(path: readonly string[], value: unknown, masking: Masking): Phrase[] {
  const key = path.at(-1) as string;
  const text = short(value, masking, path);
  if (text === undefined) return [];
  const name = withoutUnderscore(key);
  return [{ name, text: `${cut(masking.key(name))} ${text}`, rank: rankOf(name, name !== key, value) }];
}

function rankOf(name: string, isInternal: boolean, value: unknown): number {
  if (importantName.test(name)) return ranks.important;
  if (value === false) return ranks.notSet;
  return value === true || isInternal ? ranks.internal : ranks.value;
}

function importantSettings(inner: unknown, name: string, masking: Masking): Phrase[] {
  const path = () => pointerTo([name]);
  if (typeof inner !== 'object' || inner === null || types.isProxy(inner)) return [];
  if (masking.secrecyOf(name, path) !== noSecret || masking.hidesEntry(name, inner, path)) return [];
  return ownNames(inner)
    .slice(0, maxNames)
    .flatMap((each) => phrase([name, each], ownProperty(inner, each)?.value, masking))
    .filter(({ rank }) => rank === ranks.important)
    .map((each) => ({ ...each, rank: ranks.importantSetting }));
}

function short(value: unknown, masking: Masking, path: readonly string[]): string | undefined {
  if (typeof value === 'object' && !types.isDate(value)) return undefined;
  const shown = scalarOf(path.at(-1) ?? '', value, masking, () => pointerTo(path));
  if (shown === undefined || shown === '') return undefined;
  return cut(String(shown));
}

const cut = (text: string) => (text.length > longestValue ? `${text.slice(0, longestValue)}…` : text);
