/** Returns the JSON Pointer of the entry with a key or index. */
export type PathOf = (key: string | number) => string;

/** The keys and paths that an application has named: `password2`, `*Number`, `/login/token`, `/^x-/i`. */
export class NameRules {
  readonly #patterns: RegExp[] = [];
  readonly #pointers = new Set<string>();

  constructor(rules: Iterable<string | RegExp>) {
    // A string is iterable too.
    for (const rule of typeof rules === 'string' ? [rules] : rules) {
      if (typeof rule === 'string' && rule.startsWith('/')) this.#pointers.add(rule);
      else this.#patterns.push(typeof rule === 'string' ? wildcard(rule) : withoutState(rule));
    }
  }

  get hasPointers(): boolean {
    return this.#pointers.size > 0;
  }

  /** Computes the path only if needed. */
  matches(key: string | number, path: PathOf): boolean {
    if (this.#patterns.length > 0 && this.#patterns.some((pattern) => pattern.test(String(key)))) return true;
    return this.matchesPath(key, path);
  }

  matchesPath(key: string | number, path: PathOf): boolean {
    return this.hasPointers && this.#pointers.has(path(key));
  }
}

/** Without the flags that make a pattern stateful. */
const withoutState = ({ source, flags }: RegExp) => new RegExp(source, flags.replace(/[gy]/g, ''));

/** A name in which `*` stands for any text, in any case. */
const wildcard = (name: string) =>
  new RegExp(`^${name.replace(/[\\^$.+?()[\]{}|]/g, '\\$&').replace(/\*+/g, '.*')}$`, 'is');
