import type { ContentEncoding } from './page-encoding.ts';

/** A page as it is sent. */
export interface EncodedPage {
  /** The body, one part after the other. */
  readonly parts: readonly Buffer[];
  /** In bytes. */
  readonly length: number;
  readonly encoding: ContentEncoding;
}

export function encodedPage(parts: readonly Buffer[], encoding: ContentEncoding): EncodedPage {
  let length = 0;
  for (const part of parts) length += part.length;
  return { parts, length, encoding };
}
