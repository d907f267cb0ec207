import { NamePattern } from './name-pattern.ts';

/** Which beans are open, by their names. */
export class BeanFilter {
  readonly #allowed: readonly NamePattern[];
  readonly #denied: readonly NamePattern[];

  constructor({ allow, deny }: { readonly allow: readonly string[]; readonly deny: readonly string[] }) {
    this.#allowed = allow.map((text) => new NamePattern(text));
    this.#denied = deny.map((text) => new NamePattern(text));
  }

  isOpen(name: string): boolean {
    if (this.#denied.some((pattern) => pattern.matches(name))) return false;
    return this.#allowed.length === 0 || this.#allowed.some((pattern) => pattern.matches(name));
  }
}
