import { types } from 'node:util';
import { className, dataProperty, functionName } from './reflection.ts';
import { primitiveText } from './shown-text.ts';

/** Why a value is a marker; `new` is an object in whose place one is to be shown. */
export type EntryMark = 'threw' | 'new' | 'getter';

export const depthMarker = '[Depth limit]';
export const proxyMarker = '[Proxy]';
/** In the place of what a getter would return that is not run. */
export const getterMarker = '[Getter]';
/** In the place of what is not to be shown. Its name would tell what is hidden. */
export const closedMarker = '[Closed]';
/** The key under which an object says how much of it was cut. */
export const moreKey = '_more';

/** `[1,900 more]` */
export function moreMarker(count: number): string {
  return `[${String(count).replace(/\B(?=(\d{3})+$)/g, ',')} more]`;
}

export const referenceMarker = (path: string) => `[Reference ${path === '' ? '/' : path}]`;

export const classMarker = (object: object) => `[${className(object)}]`;

/** In the place of an object that a getter makes anew whenever it is asked. */
export const newMarker = (object: object) => `[New ${className(object)}]`;

export function functionMarker(value: object): string {
  if (types.isProxy(value)) return proxyMarker;
  return `[Function ${functionName(value)}]`.replace(' ]', ']');
}

/** What was thrown, told without running any code of the thrown thing. */
export function threwMarker(thrown: unknown): string {
  if (typeof thrown === 'function') return `[Threw ${functionMarker(thrown)}]`;
  if (typeof thrown !== 'object' || thrown === null) return `[Threw ${primitiveText(thrown)}]`;
  if (types.isProxy(thrown)) return '[Threw [Proxy]]';
  const name = dataProperty(thrown, 'name');
  const message = dataProperty(thrown, 'message');
  const shownName = typeof name === 'string' && name !== '' ? name : className(thrown);
  return typeof message === 'string' && message !== '' ? `[Threw ${shownName}: ${message}]` : `[Threw ${shownName}]`;
}
