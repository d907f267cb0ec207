import { types } from 'node:util';
import type { Masking } from '../masking/masking.ts';
import { handlingCreatedPromises } from '../walk/bean-code.ts';
import { mapSize, setSize } from '../walk/intrinsics.ts';
import { ownNames, ownProperty } from '../walk/reflection.ts';
import { builtInViews } from './built-in-views.ts';
import { contentBy } from './content.ts';
import { counted, type Glance, type GlanceOptions, glanceBy, maskingFor, scalarOf, viewOf } from './glance.ts';
import type { View } from './view.ts';

const mostValues = 3;
/** Of an object with any number of properties. */
const mostNames = 100;
const longestValue = 40;

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
  if (told.line !== '') return told;
  const content = contentOf(value as object, view);
  if (closed?.has(content as object)) return told;
  return { ...told, line: entriesLine(content, content === value ? masking : maskingFor(content, options)) };
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
  if (typeof value !== 'object' || value === null) return short('', value, masking) ?? '';
  if (types.isProxy(value)) return '';
  if (Array.isArray(value)) return counted(value.length, 'entries');
  if (types.isMap(value)) return counted(mapSize(value), 'entries');
  if (types.isSet(value)) return counted(setSize(value), 'entries');
  const parts: string[] = [];
  const held: string[] = [];
  const names = ownNames(value);
  let methods = 0;
  for (const name of names.slice(0, mostNames)) {
    const property: unknown = ownProperty(value, name)?.value;
    if (typeof property === 'function') methods++;
    else if (!name.startsWith('_')) {
      const text = short(name, property, masking);
      if (text === undefined) held.push(cut(masking.key(name)));
      else parts.push(`${masking.key(name)} ${text}`);
    }
    if (parts.length === mostValues) break;
  }
  if (parts.length > 0 || names.length === methods) return parts.join(', ');
  const count = names.length - methods;
  const first = held.slice(0, mostValues);
  const told = [...first, ...(first.length > 0 && count > first.length ? ['…'] : [])].join(', ');
  return told === '' ? counted(count, 'entries') : `${counted(count, 'entries')}: ${told}`;
}

function short(name: string, value: unknown, masking: Masking): string | undefined {
  if (typeof value === 'object' && !types.isDate(value)) return undefined;
  const shown = scalarOf(name, value, masking);
  if (shown === undefined || shown === '') return undefined;
  return cut(String(shown));
}

const cut = (text: string) => (text.length > longestValue ? `${text.slice(0, longestValue)}…` : text);
