/** What an address below the prefix asks for, and the form that it names. */
export type BeanAddress = { readonly form: 'json' | 'xml' | undefined } & (
  | { readonly kind: 'list' | 'malformed' | 'unknown' }
  /** The file is decoded, such as `clock.json`. */
  | { readonly kind: 'bean'; readonly file: string }
);

/** The prefix as an option gives it, without a slash at the end. */
export function parsePrefix(prefix = '/jig'): string {
  if (!/^(?:\/[\w.~-]+)*\/?$/.test(prefix))
    throw new TypeError(`The option prefix of beanInspection must be a path such as /jig, not ${prefix}.`);
  return prefix.replace(/\/$/, '');
}

/** The origin of a request line with a whole URL. */
const origin = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/** The target of a request without an origin, which few clients send. */
export const withoutOrigin = (url: string) => (url.startsWith('/') ? url : url.replace(origin, ''));

/** The path of a target, without its query. */
function pathOf(target: string): string {
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end);
}

/** The path that a framework has mounted something at: it cuts it off `url`, and keeps the whole in `originalUrl`. */
export function mountPath(url: string, originalUrl: string): string {
  if (url === originalUrl) return '';
  if (originalUrl.endsWith(url)) return originalUrl.slice(0, originalUrl.length - url.length);
  // The path itself was asked for, of which a slash is left.
  return pathOf(originalUrl).replace(/\/$/, '');
}

/** What a target below the prefix asks for; undefined for addresses of the application. A slash at the end does not count. */
export function parseAddress(prefix: string, target: string): BeanAddress | undefined {
  if (!target.startsWith('/bean', prefix.length) || !target.startsWith(prefix)) return undefined;
  const rest = pathOf(target)
    .slice(prefix.length + '/bean'.length)
    .replace(/\/$/, '');
  const form = rest.endsWith('.json') ? 'json' : rest.endsWith('.xml') ? 'xml' : undefined;
  if (rest.startsWith('/')) return beanAddress(rest.slice(1), form);
  return rest === '' || rest === `.${form}` ? { kind: 'list', form } : undefined;
}

/** A slash in a name must be encoded, as elsewhere in a path. */
function beanAddress(file: string, form: BeanAddress['form']): BeanAddress {
  if (file.includes('/')) return { kind: 'unknown', form };
  try {
    return { kind: 'bean', file: file.includes('%') ? decodeURIComponent(file) : file, form };
  } catch {
    return { kind: 'malformed', form };
  }
}

/** Whether the form of the answer depends on what the client accepts. */
export const isNegotiated = ({ kind, form }: BeanAddress) => kind === 'list' && form === undefined;
