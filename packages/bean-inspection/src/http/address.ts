import { pathOf } from '@jig/http';
import { isOurs } from '../routes.ts';

/** The prefix as an option gives it, without a slash at the end. */
export function parsePrefix(prefix = '/jig'): string {
  if (!isPrefix(prefix))
    throw new TypeError(`The option prefix of beanInspection must be a path such as /jig, not ${prefix}.`);
  return prefix.replace(/\/$/, '');
}

export const isPrefix = (text: string) => /^(?:\/[\w.~-]+)*\/?$/.test(text);

/** Stands for each instance, in place of an id: `/jig/@all/bean/clock.json`. */
export const allInstances = 'all';

/** A prefix may end with the instance that links are to stay with. */
const instancePart = /\/@([\w.:~-]{1,200})$/;
export const withInstance = (prefix: string, id: string) => `${prefix.replace(instancePart, '')}/@${id}`;
export const withoutInstance = (prefix: string) => prefix.replace(instancePart, '');

/** What an address below the prefix asks for. */
export interface Address {
  readonly instance: string | undefined;
  /** Such as `bean/clock.json`. */
  readonly path: string;
}

/** Undefined for addresses of the application. A slash at the end does not count. */
export function parseAddress(prefix: string, target: string): Address | undefined {
  if (!target.startsWith(`${prefix}/`)) return undefined;
  const below = pathOf(target)
    .slice(prefix.length + 1)
    .replace(/\/$/, '');
  const [named, instance] = /^@([\w.:~-]{1,200})\//.exec(below) ?? [''];
  const path = below.slice(named.length);
  return isOurs(path) ? { instance, path } : undefined;
}

/** The origin of a request line with a whole URL. */
const origin = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/** The target of a request without an origin, which few clients send. */
export const withoutOrigin = (url: string) => (url.startsWith('/') ? url : url.replace(origin, ''));

/** The path that a framework has mounted something at: it cuts it off `url`, and keeps the whole in `originalUrl`. */
export function mountPath(url: string, originalUrl: string): string {
  if (url === originalUrl) return '';
  if (originalUrl.endsWith(url)) return originalUrl.slice(0, originalUrl.length - url.length);
  // The path itself was asked for, of which a slash is left.
  return pathOf(originalUrl).replace(/\/$/, '');
}
