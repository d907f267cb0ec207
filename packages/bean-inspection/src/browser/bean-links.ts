import { encodeName } from '../beans/bean-list.ts';

/** A text as a value of a query. Slashes and colons may stand there as they are, so that pointers can be read. */
const encodeValue = (text: string) => encodeName(text).replaceAll('%2F', '/').replaceAll('%3A', ':');

/** The parameters of an address, in order; one with a list comes once for each. What is undefined or empty is left out. */
export type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>;

export function writeQuery(query: Query): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    (typeof value === 'object' ? value : [value])
      .filter((each) => each !== undefined && each !== '')
      .map((each) => `${name}=${encodeValue(String(each))}`),
  );
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`;
}

/** The address of a bean: its page, or its document. */
export const beanLink = (prefix: string, name: string, form: 'html' | 'json' | 'xml', query: Query = {}) =>
  `${prefix}/bean/${encodeName(name)}.${form}${writeQuery(query)}`;

/** Node refuses requests with more than 16 KiB of headers; an address that is longer than this is not offered. */
export const longestAddress = 8000;
