import { types } from 'node:util';
import { className, dataProperty, functionName } from './reflection.ts';

export const depthMarker = '[Depth limit]';

/** Stands for classes that are not looked at. */
export const classLimitMarker = '[Class limit]';

/** The key under which an object says how much of it was cut. */
export const moreKey = '_more';

/** `[1,900 more]` */
export function moreMarker(count: number): string {
  return `[${String(count).replace(/\B(?=(\d{3})+$)/g, ',')} more]`;
}

export function referenceMarker(path: string): string {
  return `[Reference ${path === '' ? '/' : path}]`;
}

export function classMarker(object: object): string {
  return `[${className(object)}]`;
}

/** In the place of what a getter would return that is not run. */
export const getterMarker = '[Getter]';

/** In the place of an object that a getter makes anew whenever it is asked. */
export function newMarker(object: object): string {
  return `[New ${className(object)}]`;
}

export function functionMarker(value: object): string {
  if (types.isProxy(value)) return proxyMarker;
  const name = functionName(value);
  return name === '' ? '[Function]' : `[Function ${name}]`;
}

export const proxyMarker = '[Proxy]';

/** In the place of what is not to be shown. Its name would tell what is hidden. */
export const closedMarker = '[Closed]';

/** The text of a primitive; a number with too many digits is only named. */
export function primitiveName(value: unknown): string {
  return typeof value === 'bigint' && !hasDecimals(value) ? '[BigInt]' : String(value);
}

/** What was thrown, told without running any code of the thrown thing. */
export function threwMarker(thrown: unknown): string {
  if (thrown === proxyError) return proxyMarker;
  if (typeof thrown !== 'object' || thrown === null) {
    return `[Threw ${typeof thrown === 'function' ? functionMarker(thrown) : primitiveName(thrown)}]`;
  }
  if (types.isProxy(thrown)) return '[Threw [Proxy]]';
  const name = dataProperty(thrown, 'name');
  const message = dataProperty(thrown, 'message');
  const shownName = typeof name === 'string' && name !== '' ? name : className(thrown);
  return typeof message === 'string' && message !== '' ? `[Threw ${shownName}: ${message}]` : `[Threw ${shownName}]`;
}

/** Ten thousand decimal digits, which take a millisecond to make; a million take one second, in which nothing else runs. */
const decimalBits = 33_219;
const decimalEnd = 1n << BigInt(decimalBits);

/** Whether a number can be written in decimal without holding up everybody else. */
export function hasDecimals(value: bigint): boolean {
  return value < decimalEnd && value > -decimalEnd;
}

/** Thrown in the place of firing a trap. */
export const proxyError = new Error('a proxy is not called');
