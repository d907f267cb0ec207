/** What stands in the place of anything secret. */
export const maskMark = '******';

/** A shorter text is part of many others by chance, and masking it there would tell what it is. */
const shortestSecret = 6;

/** Known secrets, which are found in any text. Never changes. */
export class SecretFinder {
  /** Each as it stands, in an address, in a form and in JSON, which may stand in a line of JSON; the longest first, since one may be a part of another. */
  readonly #forms: readonly string[];

  constructor(secrets: Iterable<string>) {
    const forms = [...secrets].filter(({ length }) => length >= shortestSecret).flatMap(formsOf);
    this.#forms = [...new Set(forms)].sort((a, b) => b.length - a.length);
  }

  get isEmpty(): boolean {
    return this.#forms.length === 0;
  }

  isIn(text: string): boolean {
    return this.#forms.some((form) => text.includes(form));
  }

  isInBytes(bytes: Uint8Array): boolean {
    if (this.#forms.length === 0) return false;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return this.#forms.some((form) => buffer.includes(form));
  }

  /** The text with every secret in it replaced; the very same text when it holds none. */
  mask(text: string): string {
    if (this.isEmpty) return text;
    let masked = text;
    for (const form of this.#forms) if (masked.includes(form)) masked = masked.replaceAll(form, maskMark);
    return masked;
  }
}

function formsOf(secret: string): string[] {
  const encodable = Buffer.from(secret).toString();
  const inForm = new URLSearchParams({ '': encodable }).toString().slice(1);
  const inJson = JSON.stringify(secret).slice(1, -1);
  // A line of a log is JSON already.
  return [secret, encodeURIComponent(encodable), inForm, inJson, JSON.stringify(inJson).slice(1, -1)];
}

/** The texts that must never be shown, whoever comes across them: in a log line, in a bean, in an error. */
export class Secrets {
  readonly #values = new Set<string>();
  #finder: SecretFinder | undefined;

  /** Takes no notice of a text of less than six characters. */
  add(value: string): void {
    if (value.length < shortestSecret) return;
    this.#values.add(value);
    this.#finder = undefined;
  }

  get count(): number {
    return this.#values.size;
  }

  /** For whoever looks at this bean. */
  toJSON() {
    return { count: this.count };
  }

  /** Finds the secrets that are known by now. A method, so that nobody is shown them by looking at this bean. */
  finder(): SecretFinder {
    this.#finder ??= new SecretFinder(this.#values);
    return this.#finder;
  }

  /** The text with every secret in it replaced; the very same text when it holds none. */
  mask(text: string): string {
    return this.finder().mask(text);
  }

  /** The same for one line of JSON, which stays JSON: a secret may be a number, or made of several values. */
  maskJsonLine(line: string): string {
    const masked = this.mask(line);
    if (masked === line || isJson(masked)) return masked;
    const [, level = '50'] = /^\{"level":(\d+)/.exec(line) ?? [];
    return `{"level":${level},"msg":${JSON.stringify(masked.trim())}}\n`;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
