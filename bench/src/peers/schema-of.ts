import type { Schema } from 'fast-json-stringify';

/** An object with more keys than anybody would declare is a map: its keys are data. */
const mostDeclared = 100;

/** The JSON Schema that whoever knows this plain data would write for it. The items of a list, and the values of a map, are all like the first. */
export function schemaOf(value: unknown): Schema {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) return { type: 'array', items: value.length === 0 ? {} : schemaOf(value[0]) };
  if (typeof value === 'object') return objectSchema(Object.entries(value));
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  return { type: typeof value === 'boolean' ? 'boolean' : 'string' };
}

function objectSchema(entries: readonly [string, unknown][]): Schema {
  if (entries.length > mostDeclared) return { type: 'object', additionalProperties: schemaOf(entries[0]?.[1]) };
  const properties = Object.fromEntries(entries.map(([key, value]) => [key, schemaOf(value)]));
  return { type: 'object', properties, required: Object.keys(properties) };
}
