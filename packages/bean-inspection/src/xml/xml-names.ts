import { escaped, xmlName } from './xml-name.ts';

/** How keys become element names. */
export interface XmlNames {
  nameOf(key: string): string;
  /** The attributes that the start tag of this element needs, each after a space. */
  attributesOf(name: string, isRoot: boolean): string;
}

/** Names as they are: a colon needs no declaration in XML 1.0 itself. */
export const plainNames: XmlNames = { nameOf: xmlName, attributesOf: () => '' };

/** More prefixes than this are declared where they are used, so that the root stays small. */
const MOST_ON_ROOT = 1000;

const NOT_A_PREFIX = /^xmlns$/i;

/** Names for namespace-aware parsers (Namespaces in XML 1.0): one colon at most, and every prefix declared. */
export class NamespacedNames implements XmlNames {
  readonly #onRoot = new Set<string>();

  /** Has the prefix of this key, if it has one, declared on the root. */
  declare(key: string): void {
    const prefix = prefixOf(this.nameOf(key));
    if (prefix !== undefined && this.#onRoot.size < MOST_ON_ROOT) this.#onRoot.add(prefix);
  }

  nameOf(key: string): string {
    const name = xmlName(key);
    return prefixOf(name) === undefined ? name.replaceAll(':', escaped(0x3a)) : name;
  }

  attributesOf(name: string, isRoot: boolean): string {
    const prefix = prefixOf(name);
    if (isRoot)
      return [...new Set([...this.#onRoot, ...(prefix === undefined ? [] : [prefix])])].map(declaration).join('');
    return prefix === undefined || this.#onRoot.has(prefix) ? '' : declaration(prefix);
  }
}

/** The prefix of a qualified name; undefined when the name has none or is not qualified. */
function prefixOf(name: string): string | undefined {
  const [prefix, local, ...others] = name.split(':');
  if (prefix === undefined || local === undefined || others.length > 0) return undefined;
  if (NOT_A_PREFIX.test(prefix) || xmlName(prefix) !== prefix || xmlName(local) !== local) return undefined;
  return prefix;
}

function declaration(prefix: string): string {
  return prefix === 'xml' ? '' : ` xmlns:${prefix}="urn:jig:${encodeURIComponent(prefix)}"`;
}
