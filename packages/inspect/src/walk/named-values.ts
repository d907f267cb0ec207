import { types } from 'node:util';
import { nothing, type Secrecy, secrecyOfKey } from '../masking/secret-key.ts';
import { ownProperty } from './reflection.ts';

/** The private parts of a JSON Web Key (RFC 7518, section 6). */
const privateParts: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']);

/** Calls whose arguments are credentials, unlike those of `getTokens`. */
const secretCall =
  /^(?:(?:set|with|use)_?)?(?:(?:basic|bearer|proxy|access|api|client)_?)?(?:auth|authenticate|authorization|login|password|secret|token|bearer|credentials|cookie|(?:api|private|secret)_?key)$/i;

const tellingNames = new Set([...privateParts, 'value', 'values', 'args', 'arguments', 'params', 'parameters']);

/** Whether an object says that a value of it is a secret: `{ name: 'password', value: '…' }`, `{ fn: 'auth', args: […] }`, `{ kty: 'EC', d: '…' }`. */
export function isNamedBeside(
  object: object,
  name: string,
  value: unknown,
  secrecyOf: (key: string) => Secrecy,
): boolean {
  if (!tellingNames.has(name)) return false;
  const says = (keys: readonly string[], isIt: (told: string) => boolean) =>
    keys.some((key) => {
      const told: unknown = ownProperty(object, key)?.value;
      return typeof told === 'string' && isIt(told);
    });
  if (typeof value === 'string' && privateParts.has(name)) return says(['kty'], () => true);
  const isList = !types.isProxy(value) && Array.isArray(value);
  if (name === 'value' || (name === 'values' && isList))
    return says(['name', 'key'], (told) => secrecyOf(told) !== nothing);
  if (!isList || name === 'values') return false;
  return says(['fn', 'method', 'name', 'command'], (told) => secretCall.test(told));
}

const longestName = 64;
const headerName = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|[a-z]+-[a-z-]+)$/i;

/** Whether an item of a list names the secret that comes next, at this index: `--password`, `['token', …]`, or a header of `rawHeaders`. */
export function namesNextItem(item: unknown, index: number, length: number): boolean {
  if (typeof item !== 'string' || item.length > longestName) return false;
  const isPair = length === 2 && index === 1;
  const mayName = item.startsWith('-') || isPair || (index % 2 === 1 && length % 2 === 0 && headerName.test(item));
  return mayName && secrecyOfKey(item) !== nothing && !/[\s=]/.test(item);
}

const mostItems = 100;
/** A sign, or a word of one case, unlike what is made by chance. */
const word = /^(?:[A-Z]?[a-z]{1,20}|[A-Z_]{1,20}|[^\w\s]{1,3})$/;

/** Whether a list of tokens is one of a parser, `['comma', 'colon']`, or of counts. */
export function listsNames(key: string | number, value: unknown): boolean {
  if (key !== 'tokens' || types.isProxy(value) || !Array.isArray(value)) return false;
  const first = Array.from(
    { length: Math.min(value.length, mostItems) },
    (_, index): unknown => ownProperty(value, index)?.value,
  );
  return first.every((item) => typeof item === 'number' || (typeof item === 'string' && word.test(item)));
}
