import { types } from 'node:util';
import type { Masking } from '../masking/masking.ts';
import { handlingCreatedPromises } from '../walk/bean-code.ts';
import { bytesOf } from '../walk/built-in.ts';
import { mapSize, setSize } from '../walk/intrinsics.ts';
import { beanProperties, isMethod, mayHaveEntries, ownProperty } from '../walk/reflection.ts';
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
  const behind = types.isProxy(value) ? contentBy(views)(value as object)?.() : undefined;
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
  if (!mayHaveEntries(value)) return short('', value, masking) ?? '';
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
  const values = names.flatMap((name) => {
    const text = short(name, ownProperty(value, name)?.value, masking);
    return text === undefined ? [] : [`${masking.key(name)} ${text}`];
  });
  if (values.length > 0) return values.slice(0, mostValues).join(', ');
  const count = all.length - first.length + told.length;
  if (count === 0) return '';
  const some = names.slice(0, mostValues).map((name) => cut(masking.key(name)));
  return `${counted(count, 'entries')}: ${some.join(', ')}${count > some.length ? ', …' : ''}`;
}

function short(name: string, value: unknown, masking: Masking): string | undefined {
  if (typeof value === 'object' && !types.isDate(value)) return undefined;
  const shown = scalarOf(name, value, masking);
  if (shown === undefined || shown === '') return undefined;
  return cut(String(shown));
}

const cut = (text: string) => (text.length > longestValue ? `${text.slice(0, longestValue)}…` : text);
