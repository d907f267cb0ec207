/** The kinds of values. The last five are markers, not data. */
export const outlineKinds = [
  ...(['object', 'array', 'map', 'set', 'string', 'number', 'bigint', 'boolean', 'null', 'date', 'binary'] as const),
  ...(['function', 'symbol', 'other', 'masked', 'threw', 'reference', 'limit', 'closed'] as const),
] as const;

export type OutlineKind = (typeof outlineKinds)[number];
