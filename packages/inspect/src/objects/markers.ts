import { types } from 'node:util';
import { className, dataProperty, functionName } from './reflection.ts';
import { primitiveText } from './shown-text.ts';

/** Why a value is shown as a marker. */
export type EntryMark = 'threw' | 'new' | 'getter';

export const depthMarker = '[Depth limit]';
export const proxyMarker = '[Proxy]';
/** For a getter that is not run. */
export const getterMarker = '[Getter]';
/** For closed objects, without their names. */
export const closedMarker = '[Closed]';
/** The key for the number of entries that were cut. */
export const moreKey = '_more';

/** `[1,900 more]` */
export function moreMarker(count: number): string {
  return `[${String(count).replace(/\B(?=(\d{3})+$)/g, ',')} more]`;
}

export const referenceMarker = (path: string) => `[Reference ${path === '' ? '/' : path}]`;

export const classMarker = (object: object) => `[${className(object)}]`;

/** For an object that a getter creates at each call. */
export const newMarker = (object: object) => `[New ${className(object)}]`;

export function functionMarker(value: object): string {
  if (types.isProxy(value)) return proxyMarker;
  return `[Function ${functionName(value)}]`.replace(' ]', ']');
}

/** The marker for an error. Runs no code of it. */
export function threwMarker(thrown: unknown): string {
  if (typeof thrown === 'function') return `[Threw ${functionMarker(thrown)}]`;
  if (typeof thrown !== 'object' || thrown === null) return `[Threw ${primitiveText(thrown)}]`;
  if (types.isProxy(thrown)) return '[Threw [Proxy]]';
  const name = dataProperty(thrown, 'name');
  const message = dataProperty(thrown, 'message');
  const shownName = typeof name === 'string' && name !== '' ? name : className(thrown);
  return typeof message === 'string' && message !== '' ? `[Threw ${shownName}: ${message}]` : `[Threw ${shownName}]`;
}
