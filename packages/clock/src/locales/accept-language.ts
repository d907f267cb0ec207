const longestHeader = 1024;
const mostRanges = 16;

/** The ranges of an `Accept-Language` header (RFC 9110, 12.5.4), best first; the rest of an overlong one is not looked at. */
export function languageRanges(header: string): string[] {
  return header
    .slice(0, longestHeader)
    .split(',', mostRanges)
    .map(weightedRange)
    .filter(({ range, weight }) => weight > 0 && /^[A-Za-z0-9-]{1,64}$/.test(range))
    .sort((one, other) => other.weight - one.weight)
    .map(({ range }) => range);
}

function weightedRange(item: string): { readonly range: string; readonly weight: number } {
  const [range = '', ...parameters] = item.split(';').map((part) => part.trim());
  const quality = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
  const weight = quality === undefined ? 1 : /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality) ? Number(quality) : 0;
  // Whatever follows: the same as without saying so.
  return { range: range.replace(/-\*$/, ''), weight };
}
