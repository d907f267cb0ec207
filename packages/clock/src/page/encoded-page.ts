import { Problem } from '@jig/application';
import { preferredEncoding } from '@jig/application/internal';
import { remembered } from '../remembered.ts';

export type ContentEncoding = 'gzip' | 'identity';

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

/** The encoding that an `Accept-Encoding` header prefers. */
export const pageEncoding = (header = ''): ContentEncoding => preferred(header);

const preferred = remembered((header: string): ContentEncoding => {
  const encoding = preferredEncoding(header, ['gzip']);
  if (encoding === undefined) throw new Problem(406);
  return encoding;
});
