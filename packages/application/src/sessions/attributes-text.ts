import type { SessionAttributes } from './session-store.ts';

/**
 * Attributes as one text for stores that keep texts. A list of pairs rather than an object keeps `__proto__` and the order;
 * JSON escapes NUL and lone surrogates, which neither UTF-8 nor most databases would give back.
 */
export function attributesToText(attributes: SessionAttributes): string {
  return JSON.stringify([...attributes]);
}

export function attributesFromText(text: string): SessionAttributes {
  return new Map(JSON.parse(text) as [string, string][]);
}
