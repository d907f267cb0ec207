/** The keys and paths that an application has named: `password2`, `*Number`, `/login/token`, `/^x-/i`. */
export class NameRules {
  readonly #names = new Set<string>();
  readonly #patterns: { test(key: string): boolean }[] = [];
  readonly #pointers = new Set<string>();

  constructor(rules: Iterable<string | RegExp>) {
    // A single name is a list of letters, which nobody means.
    for (const rule of typeof rules === 'string' ? [rules] : rules) this.#add(rule);
  }

  #add(rule: string | RegExp): void {
    // Without the flags by which a pattern goes on where it has ended before.
    if (typeof rule !== 'string') this.#patterns.push(new RegExp(rule.source, rule.flags.replace(/[gy]/g, '')));
    else if (rule.startsWith('/')) this.#pointers.add(rule);
    else if (rule.includes('*')) this.#patterns.push(wildcard(rule));
    else this.#names.add(rule.toLowerCase());
  }

  get hasNames(): boolean {
    return this.#names.size > 0 || this.#patterns.length > 0;
  }

  get hasPointers(): boolean {
    return this.#pointers.size > 0;
  }

  /** Asks for the path only when it matters. */
  matches(key: string, path: () => string): boolean {
    if (this.hasNames && this.#matchesName(key)) return true;
    return this.matchesPath(path);
  }

  matchesPath(path: () => string): boolean {
    return this.hasPointers && this.#pointers.has(path());
  }

  #matchesName(key: string): boolean {
    return this.#names.has(key.toLowerCase()) || this.#patterns.some((pattern) => pattern.test(key));
  }
}

/** A name in which `*` stands for any text, in any case. No regular expression: some keys are long, and come from outside. */
function wildcard(name: string): { test(key: string): boolean } {
  const [first = '', ...others] = name.toLowerCase().split('*');
  const last = others.pop() ?? '';
  return {
    test(key) {
      const text = key.toLowerCase();
      if (!text.startsWith(first)) return false;
      let place = first.length;
      for (const part of others) {
        const found = text.indexOf(part, place);
        if (found < 0) return false;
        place = found + part.length;
      }
      return text.length - last.length >= place && text.endsWith(last);
    },
  };
}
