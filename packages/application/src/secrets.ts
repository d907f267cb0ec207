/** Shorter texts occur by chance in anything. */
const shortestSecret = 6;

const escapeForPattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** A lone surrogate, which no address can hold, is what UTF-8 makes of it. */
const inAddress = (text: string) => encodeURIComponent(Buffer.from(text).toString());

/** The texts that must never be shown, whoever comes across them: in a log line, in a bean, in an error. */
export class Secrets {
  readonly #values = new Set<string>();
  #pattern: RegExp | undefined;

  add(value: string): void {
    if (value.length < shortestSecret || this.#values.has(value)) return;
    for (const form of [value, inAddress(value), JSON.stringify(value).slice(1, -1)]) this.#values.add(form);
    const alternatives = [...this.#values].sort((one, other) => other.length - one.length).map(escapeForPattern);
    this.#pattern = new RegExp(alternatives.join('|'), 'g');
  }

  get count(): number {
    return this.#values.size;
  }

  /** For those who look for them in other ways. A method, so that nobody is shown them by looking at this bean. */
  values(): readonly string[] {
    return [...this.#values];
  }

  /** The text with every secret in it replaced; the very same text when it holds none. */
  mask(text: string): string {
    return this.#pattern === undefined ? text : text.replace(this.#pattern, '******');
  }
}
