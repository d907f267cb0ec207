// Real headers have a handful of codings; a hostile one must not cost more.
const longestHeader = 1024;
const mostRanges = 16;

const range = /^\s*([\w!#$%&'*+.^`|~-]+)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

/**
 * The content coding to answer with (RFC 9110, section 12.5.3): the one the client weighs highest, and among equals the first
 * of those available. `identity` needs not be listed. Undefined when the client takes none, not even an answer as it is.
 */
export function preferredEncoding<Encoding extends string>(
  header: string | undefined,
  available: readonly Encoding[],
): Encoding | 'identity' | undefined {
  if (header === undefined || header.length > longestHeader) return 'identity';
  const weights = encodingWeights(header);
  const others = weights.get('*');

  let preferred: Encoding | undefined;
  let highest = 0;
  for (const encoding of available) {
    if (encoding === 'identity') continue;
    const weight = weights.get(encoding) ?? others ?? 0;
    if (weight <= highest) continue;
    highest = weight;
    preferred = encoding;
  }
  const identity = weights.get('identity') ?? others;
  if (identity === undefined) return preferred ?? 'identity';
  if (identity > highest) return 'identity';
  return preferred;
}

function encodingWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const text of header.split(',', mostRanges)) {
    const [, name, weight = '1'] = range.exec(text) ?? [];
    if (name === undefined) continue;
    const encoding = name.toLowerCase();
    weights.set(encoding === 'x-gzip' ? 'gzip' : encoding, Number(weight));
  }
  return weights;
}
