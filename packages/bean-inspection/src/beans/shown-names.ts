import type { Masking } from '@jig/inspect';
import { maskMark } from '@jig/inspect/internal';

/**
 * The names of beans as they are shown. One that holds a secret is masked, and such a bean is found by the masked name
 * too; a number tells it from others that look the same. A hash in its place could be used to guess the secret.
 */
export class ShownNames {
  readonly #masking: Masking;
  readonly #shown = new Map<string, string>();
  readonly #names = new Map<string, string>();

  constructor(names: readonly string[], masking: Masking) {
    this.#masking = masking;
    const taken = new Set(names);
    for (const name of names) {
      const masked = masking.text(name);
      if (masked === name) continue;
      let shown = masked;
      for (let count = 2; taken.has(shown); count++) shown = `${masked} (${count})`;
      taken.add(shown);
      this.#shown.set(name, shown);
      this.#names.set(shown, name);
    }
  }

  /** Whether a text may be a masked name. */
  static mayBe(text: string): boolean {
    return text.includes(maskMark);
  }

  /** A name as it is shown, also one that no bean has. */
  of(name: string): string {
    return this.#shown.get(name) ?? this.#masking.text(name);
  }

  /** The name behind a masked one. */
  nameOf(shown: string): string | undefined {
    return this.#names.get(shown);
  }
}
