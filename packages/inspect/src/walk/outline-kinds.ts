/** What a value can be. The last five are markers, never data. */
export const outlineKinds = [
  ...(['object', 'array', 'map', 'set', 'string', 'number', 'bigint', 'boolean', 'null', 'date', 'binary'] as const),
  ...(['function', 'symbol', 'other', 'masked', 'threw', 'reference', 'limit', 'closed'] as const),
] as const;

export type OutlineKind = (typeof outlineKinds)[number];
