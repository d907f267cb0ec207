/** Which beans are open, by their names. */
export class BeanFilter {
  readonly #allowed: readonly RegExp[];
  readonly #denied: readonly RegExp[];

  constructor({ allow, deny }: { readonly allow: readonly string[]; readonly deny: readonly string[] }) {
    this.#allowed = allow.map(patternOf);
    this.#denied = deny.map(patternOf);
  }

  isOpen(name: string): boolean {
    if (this.#denied.some((pattern) => pattern.test(name))) return false;
    return this.#allowed.length === 0 || this.#allowed.some((pattern) => pattern.test(name));
  }
}

function patternOf(text: string): RegExp {
  const parts = text.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
