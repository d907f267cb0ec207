// Real headers are shorter; the limit keeps hostile ones cheap.
const maxHeaderLength = 1024;

/** One element of an `Accept…` header (RFC 9110, section 12.4.2). */
interface WeightedElement {
  /** A media range, a content coding or a language range. */
  readonly value: string;
  /** From 0, which refuses it, to 1. */
  readonly weight: number;
}

const weightParameter = /^q\s*=(.*)$/is;
const weightValue = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** The elements in the order of the header, without those with a malformed weight. */
export function weightedElements(header: string): readonly WeightedElement[] {
  return header
    .slice(0, maxHeaderLength)
    .split(',')
    .flatMap((element) => {
      const [value = '', ...parameters] = element.split(';').map((part) => part.trim());
      const weight = parameters.flatMap((parameter) => weightParameter.exec(parameter)?.[1]?.trim() ?? [])[0] ?? '1';
      return value === '' || !weightValue.test(weight) ? [] : [{ value, weight: Number(weight) }];
    });
}

/** The choice with the highest weight above 0; the first of several. */
const heaviest = <Choice extends { readonly weight: number }>(choices: readonly Choice[]): Choice | undefined =>
  choices.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight)[0];

/**
 * The available content coding with the highest weight (RFC 9110, section 12.5.3), or the first of several. `identity` is always available.
 * Undefined if the client accepts none.
 */
export function preferredEncoding<Encoding extends string>(
  header: string | undefined,
  available: readonly Encoding[],
): Encoding | 'identity' | undefined {
  if (header === undefined) return 'identity';
  const weights = new Map(
    weightedElements(header).map(({ value, weight }) => [value.toLowerCase().replace(/^x-gzip$/, 'gzip'), weight]),
  );
  // Without being named, `identity` is accepted as the last choice.
  const weightOf = (coding: string, unmentioned: number) => weights.get(coding) ?? weights.get('*') ?? unmentioned;
  const codings = available.filter((coding) => coding !== 'identity');
  return heaviest([
    ...codings.map((coding) => ({ coding, weight: weightOf(coding, 0) })),
    { coding: 'identity' as const, weight: weightOf('identity', Number.MIN_VALUE) },
  ])?.coding;
}

/**
 * The available media type with the highest weight (RFC 9110, section 12.5.1). Among equals, the most specific range wins, then the first in
 * the header, then the first available. Parameters are ignored. Undefined if the client accepts none.
 */
export function preferredMediaType<Type extends string>(
  header: string | undefined,
  available: readonly Type[],
): Type | undefined {
  const ranges = weightedElements(header ?? '').filter(({ value }) => value.includes('/'));
  // A header without a valid range is ignored.
  if (ranges.length === 0) return available[0];
  const choices = available.flatMap((type) => {
    const matching = [type, type.replace(/\/.*/s, '/*'), '*/*'];
    const positions = matching.map((range) => ranges.findLastIndex(({ value }) => value.toLowerCase() === range));
    const generality = positions.findIndex((position) => position !== -1);
    const position = positions[generality] ?? -1;
    return position === -1 ? [] : [{ type, generality, position, weight: ranges[position]?.weight ?? 0 }];
  });
  choices.sort((one, other) => one.generality - other.generality || one.position - other.position);
  return heaviest(choices)?.type;
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
