import { pathOf } from '@jig/http';
import { isOurs } from '../routes.ts';

/** In place of an id, for all instances: `/jig/@all/bean/clock.json`. */
export const allInstances = 'all';

/** A prefix may end with the instance that links name. */
const instancePart = /\/@([\w.:~-]{1,200})$/;
export const withInstance = (prefix: string, id: string) => `${prefix.replace(instancePart, '')}/@${id}`;
export const withoutInstance = (prefix: string) => prefix.replace(instancePart, '');

/** An address below the prefix. */
export interface Address {
  readonly instance: string | undefined;
  /** Such as `bean/clock.json`. */
  readonly path: string;
}

/** Undefined for addresses of the application. A slash at the end is ignored. */
export function parseAddress(prefix: string, target: string): Address | undefined {
  if (!target.startsWith(`${prefix}/`)) return undefined;
  const below = pathOf(target)
    .slice(prefix.length + 1)
    .replace(/\/$/, '');
  const [instanceSegment, instance] = /^@([\w.:~-]{1,200})\//.exec(below) ?? [''];
  const path = below.slice(instanceSegment.length);
  return isOurs(path) ? { instance, path } : undefined;
}

/** The origin, if the request line has a whole URL. */
const origin = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/** Without the origin, which few clients send. */
export const withoutOrigin = (url: string) => (url.startsWith('/') ? url : url.replace(origin, ''));

/** The path that a framework mounts at: it is missing in `url`, but not in `originalUrl`. */
export function mountPath(url: string, originalUrl: string): string {
  if (url === originalUrl) return '';
  if (originalUrl.endsWith(url)) return originalUrl.slice(0, originalUrl.length - url.length);
  // A request for the mount path itself has `/` as its `url`.
  return pathOf(originalUrl).replace(/\/$/, '');
}
