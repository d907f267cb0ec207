import type { FastifyReply } from 'fastify';

// Real headers have a handful of elements; a hostile one must not cost more.
const longestHeader = 1024;
const mostElements = 16;

/** One element of an `Accept…` header (RFC 9110, section 12.4.2). */
export interface WeightedElement {
  /** As it was sent: a media range, a content coding or a language range. */
  readonly value: string;
  /** From 0, which refuses it, to 1. */
  readonly weight: number;
  /** Its parameters beside the weight. */
  readonly parameters: readonly string[];
}

const weightParameter = /^q\s*=(.*)$/is;
const weightValue = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** The elements in the order of the header; one whose weight is malformed is left out, and what is beyond all measure is not looked at. */
export function weightedElements(header: string): readonly WeightedElement[] {
  return header.slice(0, longestHeader).split(',', mostElements).flatMap(weightedElement);
}

function weightedElement(text: string): readonly WeightedElement[] {
  const [value = '', ...parameters] = text.split(';').map((part) => part.trim());
  const weights = parameters.filter((parameter) => weightParameter.test(parameter));
  const weight = weights[0]?.replace(weightParameter, '$1').trim() ?? '1';
  if (value === '' || !weightValue.test(weight)) return [];
  return [{ value, weight: Number(weight), parameters: parameters.filter((each) => !weights.includes(each)) }];
}

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
  for (const { value, weight, parameters } of weightedElements(header)) {
    // A coding has no parameters, so this is another one.
    if (parameters.length > 0) continue;
    const encoding = value.toLowerCase();
    weights.set(encoding === 'x-gzip' ? 'gzip' : encoding, weight);
  }
  return weights;
}

/**
 * The media type to answer with (RFC 9110, section 12.5.1): the one the client weighs highest; among equals the one it names most exactly,
 * then the one it names first, then the first of those available. Parameters of its ranges do not count. Undefined when it takes none.
 */
export function preferredMediaType<Type extends string>(
  header: string | undefined,
  available: readonly Type[],
): Type | undefined {
  const ranges = weightedElements(header ?? '').filter(({ value }) => value.includes('/'));
  // Without a range that can be read it is as if there were no header.
  if (ranges.length === 0 || (header?.length ?? 0) > longestHeader) return available[0];
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

/** Adds to a header that holds a list, such as `Vary`, beside what others have said already, as plugins do. */
export function appendHeader(reply: FastifyReply, name: string, value: string): void {
  reply.header(name, [reply.getHeader(name) ?? [], value].flat().join(', '));
}
