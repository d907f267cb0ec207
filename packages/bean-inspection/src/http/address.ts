import { pathOf } from '@jig/http';

/** The names of a resource: the first segment below the prefix, and what may come after it. */
export interface ResourceNames {
  /** The first segment, such as `bean`. */
  readonly name: string;
  /** What may follow the name after a dot, such as `json` in `bean.json`. */
  readonly extensions: readonly string[];
  /** Whether there are addresses below it, such as `/bean/clock.json`. */
  readonly hasEntries: boolean;
}

/** An address of a resource. */
export interface Address {
  /** `entry` is one below the resource; `unknown` and `malformed` can be answered by a problem only. */
  readonly kind: 'whole' | 'entry' | 'unknown' | 'malformed';
  readonly name: string;
  /** What follows the last dot: of the resource itself one of its extensions, of an entry anything. */
  readonly extension: string | undefined;
  /** The decoded name of an entry without its extension: `clock` of `/bean/clock.json`. Empty for the resource itself. */
  readonly entry: string;
}

/** The prefix as an option gives it, without a slash at the end. */
export function parsePrefix(prefix = '/jig'): string {
  if (!isPrefix(prefix))
    throw new TypeError(`The option prefix of beanInspection must be a path such as /jig, not ${prefix}.`);
  return prefix.replace(/\/$/, '');
}

export const isPrefix = (text: string) => /^(?:\/[\w.~-]+)*\/?$/.test(text);

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

/** Finds the addresses of some resources below any prefix. */
export class AddressParser {
  /** The first segments, with and without extension, such as `bean` and `bean.json`. */
  readonly #segments = new Map<string, { readonly names: ResourceNames; readonly extension: string | undefined }>();

  constructor(resources: readonly ResourceNames[]) {
    for (const names of resources) {
      this.#segments.set(names.name, { names, extension: undefined });
      for (const extension of names.extensions) this.#segments.set(`${names.name}.${extension}`, { names, extension });
    }
  }

  /** What a target below the prefix asks for; undefined for addresses of the application. A slash at the end does not count. */
  parse(prefix: string, target: string): Address | undefined {
    if (target.charCodeAt(prefix.length) !== slash || !target.startsWith(prefix)) return undefined;
    const path = pathOf(target).slice(prefix.length + 1);
    const end = path.indexOf('/');
    const found = this.#segments.get(end === -1 ? path : path.slice(0, end));
    if (found === undefined) return undefined;
    const { names, extension } = found;
    const rest = end === -1 ? '' : path.slice(end + 1).replace(/\/$/, '');
    if (rest === '') return { kind: 'whole', name: names.name, extension, entry: '' };
    return names.hasEntries && extension === undefined ? encodedEntry(names.name, rest) : undefined;
  }
}

const slash = 0x2f;

/** A slash in a name must be encoded, as elsewhere in a path. */
function encodedEntry(name: string, file: string): Address {
  if (file.includes('/')) return { ...entryAddress(name, file), kind: 'unknown' };
  try {
    return entryAddress(name, file.includes('%') ? decodeURIComponent(file) : file);
  } catch {
    return { ...entryAddress(name, file), kind: 'malformed' };
  }
}

/** The decoded file of an entry, whole: `clock.json` of `/bean/clock.json`. */
export const fileOf = ({ entry, extension }: Address) => (extension === undefined ? entry : `${entry}.${extension}`);

/** The address of an entry by its decoded file. The extension is what follows the last dot: `a.b.json` is the bean `a.b`. */
export function entryAddress(name: string, file: string): Address {
  const dot = file.lastIndexOf('.');
  if (dot === -1) return { kind: 'entry', name, extension: undefined, entry: file };
  return { kind: 'entry', name, extension: file.slice(dot + 1), entry: file.slice(0, dot) };
}
