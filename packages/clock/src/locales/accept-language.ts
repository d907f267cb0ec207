import { weightedElements } from '@jig/application/internal';

/** The ranges of an `Accept-Language` header (RFC 9110, section 12.5.4), best first. */
export function languageRanges(header: string): string[] {
  return weightedElements(header)
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ value }) => value.replace(/-\*$/, '')) // Whatever follows: the same as without saying so.
    .filter((range) => /^[A-Za-z0-9-]{1,64}$/.test(range));
}
