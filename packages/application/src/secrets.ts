/** Shorter texts occur by chance in anything. */
const shortestSecret = 6;

const escapeForPattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** A lone surrogate, which no address can hold, is what UTF-8 makes of it. */
const inAddress = (text: string) => encodeURIComponent(Buffer.from(text).toString());

/** The texts that must never be shown, whoever comes across them: in a log line, in a bean, in an error. */
export class Secrets {
  /** The forms of each, by the secret itself. */
  readonly #forms = new Map<string, readonly string[]>();
  #pattern: RegExp | undefined;

  add(value: string): void {
    if (value.length < shortestSecret || this.#forms.has(value)) return;
    this.#forms.set(value, [value, inAddress(value), JSON.stringify(value).slice(1, -1)]);
    const alternatives = this.values().map(escapeForPattern);
    this.#pattern = new RegExp(alternatives.join('|'), 'g');
  }

  get count(): number {
    return this.#forms.size;
  }

  /**
   * In all forms that they take, the longest first, for those who look for them in other ways. A method, so that nobody is shown them
   * by looking at this bean.
   */
  values(): readonly string[] {
    return [...new Set([...this.#forms.values()].flat())].sort((one, other) => other.length - one.length);
  }

  /** The text with every secret in it replaced; the very same text when it holds none. */
  mask(text: string): string {
    return this.#pattern === undefined ? text : text.replace(this.#pattern, '******');
  }
}
