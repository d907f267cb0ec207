import { escaped, xmlName } from './xml-name.ts';

/** More prefixes than this are declared where they are used, so that the root stays small. */
const maxOnRoot = 1000;

const notAPrefix = /^xmlns$/i;

/** Names for namespace-aware parsers (Namespaces in XML 1.0): one colon at most, and every prefix declared. */
export class NamespacedNames {
  readonly #onRoot = new Set<string>();

  /** Has the prefix of this key, if it has one, declared on the root. */
  declare(key: string): void {
    const prefix = prefixOf(this.nameOf(key));
    if (prefix !== undefined && this.#onRoot.size < maxOnRoot) this.#onRoot.add(prefix);
  }

  /** The first colon makes a prefix where it can; what follows must begin like a name, so a digit there is escaped. */
  nameOf(key: string): string {
    const colon = key.indexOf(':');
    const [prefix, local] = [key.slice(0, colon), key.slice(colon + 1)];
    return colon > 0 && local !== '' && isPrefix(prefix)
      ? `${prefix}:${withoutColons(xmlName(local))}`
      : withoutColons(xmlName(key));
  }

  attributesOf(name: string, isRoot: boolean): string {
    const prefix = prefixOf(name);
    if (isRoot)
      return [...new Set([...this.#onRoot, ...(prefix === undefined ? [] : [prefix])])].map(declaration).join('');
    return prefix === undefined || this.#onRoot.has(prefix) ? '' : declaration(prefix);
  }
}

const isPrefix = (text: string) => !notAPrefix.test(text) && xmlName(text) === text;

const withoutColons = (name: string) => name.replaceAll(':', escaped(0x3a));

/** The prefix of a name made here, if it has one. */
function prefixOf(name: string): string | undefined {
  const colon = name.indexOf(':');
  return colon === -1 ? undefined : name.slice(0, colon);
}

function declaration(prefix: string): string {
  return prefix === 'xml' ? '' : ` xmlns:${prefix}="urn:jig:${encodeURIComponent(prefix)}"`;
}
