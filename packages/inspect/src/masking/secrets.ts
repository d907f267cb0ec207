/** Replaces every secret. */
export const maskMark = '******';

/** Shorter texts occur in others by chance, and masking them there would reveal them. */
const minSecretLength = 6;

/** Finds known secrets in any text. Immutable. */
export class SecretFinder {
  /** Each secret plain, percent-encoded, form-encoded and in JSON once and twice; the longest first, since one may contain another. */
  readonly #forms: readonly string[];
  readonly #shortest: number;

  constructor(secrets: Iterable<string>) {
    const forms = [...secrets].filter(({ length }) => length >= minSecretLength).flatMap(formsOf);
    this.#forms = [...new Set(forms)].sort((a, b) => b.length - a.length);
    this.#shortest = this.#forms.at(-1)?.length ?? Number.POSITIVE_INFINITY;
  }

  get isEmpty(): boolean {
    return this.#forms.length === 0;
  }

  /** Keeps the secrets out of documents of this object. */
  toJSON() {
    return { count: this.#forms.length };
  }

  isIn(text: string): boolean {
    return text.length >= this.#shortest && this.#forms.some((form) => text.includes(form));
  }

  isInBytes(bytes: Uint8Array): boolean {
    if (this.#forms.length === 0) return false;
    const buffer = Buffer.from(bytes);
    return this.#forms.some((form) => buffer.includes(form));
  }

  /** Replaces every secret in a text. */
  mask(text: string): string {
    if (text.length < this.#shortest) return text;
    let masked = text;
    for (const form of this.#forms) if (masked.includes(form)) masked = masked.replaceAll(form, maskMark);
    return masked;
  }
}

function formsOf(secret: string): string[] {
  const encodable = Buffer.from(secret).toString();
  const inForm = new URLSearchParams({ '': encodable }).toString().slice(1);
  const inJson = JSON.stringify(secret).slice(1, -1);
  // Twice, since a log line is JSON.
  return [secret, encodeURIComponent(encodable), inForm, inJson, JSON.stringify(inJson).slice(1, -1)];
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
