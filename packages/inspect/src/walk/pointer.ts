import type { Masking } from '../masking/masking.ts';

/** A JSON Pointer (RFC 6901) from its reference tokens. */
export function pointerTo(tokens: readonly string[]): string {
  return tokens
    .map((token) => `/${/[~/]/.test(token) ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token}`)
    .join('');
}

/** The reference tokens of a JSON Pointer; undefined if it is malformed. */
export function pointerTokens(pointer: string): string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined;
  const tokens = pointer.slice(1).split('/');
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A place in a value: a key in a parent place. The key of the root is a whole JSON Pointer. */
export interface Link {
  readonly parent: Link | undefined;
  readonly key: string | number;
}

/** The JSON Pointer of a place, with masked keys. */
export function pointerOf(link: Link, masking: Masking): string {
  const tokens: string[] = [];
  let outermost = link;
  for (; outermost.parent !== undefined; outermost = outermost.parent) tokens.push(masking.key(String(outermost.key)));
  return outermost.key + pointerTo(tokens.reverse());
}
