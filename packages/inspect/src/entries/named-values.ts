import { types } from 'node:util';
import { noSecret, type Secrecy, secrecyOfKey } from '../masking/secret-key.ts';
import { ownProperty } from '../objects/reflection.ts';

/** The private parts of a JSON Web Key (RFC 7518, section 6). */
const privateParts: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']);

/** Functions whose arguments are credentials; `getTokens` is not one. */
const secretCall =
  /^(?:(?:set|with|use)_?)?(?:(?:basic|bearer|proxy|access|api|client)_?)?(?:auth|authenticate|authorization|login|password|secret|token|bearer|credentials|cookie|(?:api|private|secret)_?key)$/i;

const markableNames = new Set([...privateParts, 'value', 'values', 'args', 'arguments', 'params', 'parameters']);

/** Whether another property marks a value of the object as secret: `{ name: 'password', value: '…' }`, `{ fn: 'auth', args: […] }`, `{ kty: 'EC', d: '…' }`. */
export function siblingMarksSecret(
  object: object,
  name: string,
  value: unknown,
  secrecyOf: (key: string) => Secrecy,
): boolean {
  if (!markableNames.has(name)) return false;
  if (typeof value === 'string' && privateParts.has(name)) return hasSibling(object, ['kty'], () => true);
  const isList = !types.isProxy(value) && Array.isArray(value);
  if (name === 'value' || (name === 'values' && isList))
    return hasSibling(object, ['name', 'key'], (sibling) => secrecyOf(sibling) !== noSecret);
  if (!isList || name === 'values') return false;
  return hasSibling(object, ['fn', 'method', 'name', 'command'], (sibling) => secretCall.test(sibling));
}

/** Whether one of these properties is a text that matches. A symbol, such as a key of a map, is matched by its description. */
const hasSibling = (object: object, keys: readonly string[], matches: (text: string) => boolean): boolean =>
  keys.some((key) => {
    const sibling: unknown = ownProperty(object, key)?.value;
    const text = typeof sibling === 'symbol' ? sibling.description : sibling;
    return typeof text === 'string' && matches(text);
  });

const maxNameLength = 64;
const headerName = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|[a-z]+-[a-z-]+)$/i;

/** Whether a list item is the name of the secret at this index, which follows it: `--password`, `['token', …]`, or a header of `rawHeaders`. */
export function namesNextItem(item: unknown, index: number, length: number): boolean {
  if (typeof item !== 'string' || item.length > maxNameLength) return false;
  const isPair = length === 2 && index === 1;
  const mayName = item.startsWith('-') || isPair || (index % 2 === 1 && length % 2 === 0 && headerName.test(item));
  return mayName && secrecyOfKey(item) !== noSecret && !/[\s=]/.test(item);
}

const maxItems = 100;
/** A punctuation mark, or a word in one case, unlike a random token. */
const word = /^(?:[A-Z]?[a-z]{1,20}|[A-Z_]{1,20}|[^\w\s]{1,3})$/;

/** Whether `tokens` are those of a parser, `['comma', 'colon']`, or counts. */
export function isTokenizerList(key: string | number, value: unknown): boolean {
  if (key !== 'tokens' || types.isProxy(value) || !Array.isArray(value)) return false;
  const firstItems = Array.from(
    { length: Math.min(value.length, maxItems) },
    (_, index): unknown => ownProperty(value, index)?.value,
  );
  return firstItems.every((item) => typeof item === 'number' || (typeof item === 'string' && word.test(item)));
}
