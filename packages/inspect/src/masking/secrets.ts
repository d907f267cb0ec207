/** Replaces every secret. */
export const maskMark = '******';

/** Shorter texts occur in others by chance, and masking them there would reveal them. */
const minSecretLength = 6;

/** Finds known secrets in any text. Immutable. */
export class SecretFinder {
  /** Each secret plain, percent-encoded, form-encoded and in JSON once and twice; the longest first, since one may contain another. */
  readonly #variants: readonly string[];
  readonly #shortest: number;

  constructor(secrets: Iterable<string>) {
    const variants = [...secrets].filter(({ length }) => length >= minSecretLength).flatMap(variantsOf);
    this.#variants = [...new Set(variants)].sort((a, b) => b.length - a.length);
    this.#shortest = this.#variants.at(-1)?.length ?? Number.POSITIVE_INFINITY;
  }

  get isEmpty(): boolean {
    return this.#variants.length === 0;
  }

  /** Keeps the secrets out of documents of this object. */
  toJSON() {
    return { count: this.#variants.length };
  }

  isIn(text: string): boolean {
    return text.length >= this.#shortest && this.#variants.some((variant) => text.includes(variant));
  }

  isInBytes(bytes: Uint8Array): boolean {
    if (this.#variants.length === 0) return false;
    const buffer = Buffer.from(bytes);
    return this.#variants.some((variant) => buffer.includes(variant));
  }

  /** Replaces every secret in a text. */
  mask(text: string): string {
    if (text.length < this.#shortest) return text;
    let masked = text;
    for (const variant of this.#variants) if (masked.includes(variant)) masked = masked.replaceAll(variant, maskMark);
    return masked;
  }
}

function variantsOf(secret: string): string[] {
  const encodable = Buffer.from(secret).toString();
  const formEncoded = new URLSearchParams({ '': encodable }).toString().slice(1);
  const jsonEscaped = JSON.stringify(secret).slice(1, -1);
  // Twice, since a log line is JSON.
  return [secret, encodeURIComponent(encodable), formEncoded, jsonEscaped, JSON.stringify(jsonEscaped).slice(1, -1)];
}

/** The strings that must never be shown in log lines, beans and errors. */
export class Secrets {
  readonly #values = new Set<string>();
  #finder: SecretFinder | undefined;

  /** Ignores strings of less than six characters. */
  add(value: string): void {
    if (value.length < minSecretLength) return;
    this.#values.add(value);
    this.#finder = undefined;
  }

  get count(): number {
    return this.#values.size;
  }

  /** The document of this bean. */
  toJSON() {
    return { count: this.count };
  }

  /** Finds the secrets added so far. Not a getter, so that inspecting this bean does not show them. */
  finder(): SecretFinder {
    this.#finder ??= new SecretFinder(this.#values);
    return this.#finder;
  }

  /** Replaces every secret in a text. */
  mask(text: string): string {
    return this.finder().mask(text);
  }

  /** The same for a line of JSON, which stays valid: a secret may be a number, or span several values. */
  maskJsonLine(line: string): string {
    const masked = this.mask(line);
    if (masked === line || isJson(masked)) return masked;
    const [, level = '50'] = /^\{"level":(\d+)/.exec(line) ?? [];
    return `{"level":${level},"msg":${JSON.stringify(masked.trim())}}\n`;
  }
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
