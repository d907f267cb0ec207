import { Problem, preferredEncoding } from '@jig/application';
import { remembered } from '../remembered.ts';

export type ContentEncoding = 'br' | 'gzip' | 'identity';

/** What the client likes best, and whether it takes gzip as well, so that it need not wait for Brotli. */
export interface EncodingChoice {
  readonly encoding: ContentEncoding;
  readonly takesGzip: boolean;
}

const chooseOrRemember = remembered(choose);

export const pageEncoding = (header = ''): EncodingChoice => chooseOrRemember(header);

function choose(header: string): EncodingChoice {
  const encoding = preferredEncoding(header, ['br', 'gzip']);
  if (encoding === undefined) throw new Problem(406);
  return { encoding, takesGzip: encoding === 'br' && preferredEncoding(header, ['gzip']) === 'gzip' };
}
