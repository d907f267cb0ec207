// Real headers are shorter; a hostile one must not cost more.
const maxHeaderLength = 1024;
const maxElements = 16;

/** One element of an `Accept…` header (RFC 9110, section 12.4.2). */
export interface WeightedElement {
  /** A media range, a content coding or a language range. */
  readonly value: string;
  /** From 0, which refuses it, to 1. */
  readonly weight: number;
  /** All parameters but the weight. */
  readonly parameters: readonly string[];
}

const weightParameter = /^q\s*=(.*)$/is;
const weightValue = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** The elements in the order of the header, without those with a malformed weight or above the limits. */
export function weightedElements(header: string): readonly WeightedElement[] {
  return header.slice(0, maxHeaderLength).split(',', maxElements).flatMap(weightedElement);
}

function weightedElement(text: string): readonly WeightedElement[] {
  const [value = '', ...parameters] = text.split(';').map((part) => part.trim());
  const weights = parameters.filter((parameter) => weightParameter.test(parameter));
  const weight = weights[0]?.replace(weightParameter, '$1').trim() ?? '1';
  if (value === '' || !weightValue.test(weight)) return [];
  return [{ value, weight: Number(weight), parameters: parameters.filter((each) => !weights.includes(each)) }];
}

/**
 * The available content coding with the highest weight (RFC 9110, section 12.5.3), or the first of several. `identity` is always available.
 * Undefined if the client accepts none.
 */
export function preferredEncoding<Encoding extends string>(
  header: string | undefined,
  available: readonly Encoding[],
): Encoding | 'identity' | undefined {
  if (header === undefined || header.length > maxHeaderLength) return 'identity';
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
  for (const { value, weight, parameters } of weightedElements(header)) {
    // Content codings have no parameters.
    if (parameters.length > 0) continue;
    const encoding = value.toLowerCase();
    weights.set(encoding === 'x-gzip' ? 'gzip' : encoding, weight);
  }
  return weights;
}

/**
 * The available media type with the highest weight (RFC 9110, section 12.5.1). Among equals, the most specific range wins, then the first in
 * the header, then the first available. Parameters are ignored. Undefined if the client accepts none.
 */
export function preferredMediaType<Type extends string>(
  header: string | undefined,
  available: readonly Type[],
): Type | undefined {
  if (header === undefined || header.length > maxHeaderLength) return available[0];
  const ranges = weightedElements(header).filter(({ value }) => value.includes('/'));
  // A header without a valid range is ignored.
  if (ranges.length === 0) return available[0];
  const positions = new Map(ranges.map(({ value }, index) => [value.toLowerCase(), index]));
  const candidates = available.flatMap((type) => {
    const matching = [type, type.replace(/\/.*/s, '/*'), '*/*'];
    const generality = matching.findIndex((range) => positions.has(range));
    const position = positions.get(matching[generality] ?? '') ?? 0;
    const { weight } = ranges[position] ?? { weight: 0 };
    return generality === -1 || weight === 0 ? [] : [{ type, weight, generality, position }];
  });
  candidates.sort(
    (one, other) => other.weight - one.weight || one.generality - other.generality || one.position - other.position,
  );
  return candidates[0]?.type;
}

/** The part of a Fastify reply that is used. */
interface Reply {
  getHeader(name: string): number | string | string[] | undefined;
  header(name: string, value: string): unknown;
}

/** Appends to a list header such as `Vary`, which plugins may have set already. */
export function appendHeader(reply: Reply, name: string, value: string): void {
  reply.header(name, [reply.getHeader(name) ?? [], value].flat().join(', '));
}
