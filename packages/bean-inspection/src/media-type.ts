// Real headers have a handful of elements; a hostile one must not cost more.
const longestHeader = 1024;
const mostElements = 16;
const weightParameter = /^q\s*=(.*)$/is;
const weightValue = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

interface MediaRange {
  readonly value: string;
  readonly weight: number;
}

/**
 * The media type to answer with (RFC 9110, section 12.5.1): the one with the highest weight; among equals the one that is named most exactly,
 * then the one that is named first, then the first of those available. Undefined when the client accepts none.
 */
export function preferredMediaType<Type extends string>(
  header: string | undefined,
  available: readonly Type[],
): Type | undefined {
  const ranges = (header ?? '').slice(0, longestHeader).split(',', mostElements).flatMap(mediaRange);
  // Without a range that can be read it is as if there were no header.
  if (ranges.length === 0 || (header?.length ?? 0) > longestHeader) return available[0];
  const positions = new Map(ranges.map(({ value }, index) => [value, index]));
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

/** None for an element whose weight is malformed; parameters beside the weight do not count. */
function mediaRange(text: string): readonly MediaRange[] {
  const [value = '', ...parameters] = text.split(';').map((part) => part.trim());
  const weight =
    parameters
      .find((parameter) => weightParameter.test(parameter))
      ?.replace(weightParameter, '$1')
      .trim() ?? '1';
  return value.includes('/') && weightValue.test(weight)
    ? [{ value: value.toLowerCase(), weight: Number(weight) }]
    : [];
}
