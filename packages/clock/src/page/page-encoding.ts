import { Problem, preferredEncoding } from '@jig/application';
import { BoundedCache } from './bounded-cache.ts';

export type ContentEncoding = 'br' | 'gzip' | 'identity';

/** What the client likes best, and whether it takes gzip as well, so that it need not wait for Brotli. */
export interface EncodingChoice {
  readonly encoding: ContentEncoding;
  readonly takesGzip: boolean;
}

/** There are a handful of browsers, each with its own header. */
const known = new BoundedCache<EncodingChoice>(200);
const longestKnown = 128;

export function pageEncoding(header = ''): EncodingChoice {
  const choice = known.get(header) ?? choose(header);
  if (header.length <= longestKnown) known.set(header, choice);
  return choice;
}

function choose(header: string): EncodingChoice {
  const encoding = preferredEncoding(header, ['br', 'gzip']);
  if (encoding === undefined) throw new Problem(406);
  return { encoding, takesGzip: encoding === 'br' && preferredEncoding(header, ['gzip']) === 'gzip' };
}
