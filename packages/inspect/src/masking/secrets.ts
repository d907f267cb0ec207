import { maskMark, SecretFinder, shortestSecret } from './secret-finder.ts';

/** The strings and numbers of JSON, keys included. */
const jsonTokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.e+-]*/gi;

/** The texts that must never be shown, whoever comes across them: in a log line, in a bean, in an error. */
export class Secrets {
  readonly #values = new Set<string>();
  #finder: SecretFinder | undefined;

  /** Takes no notice of a text of less than six characters. */
  add(value: string): void {
    if (value.length < shortestSecret || this.#values.has(value)) return;
    this.#values.add(value);
    this.#finder = undefined;
  }

  get count(): number {
    return this.#values.size;
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

  /** The same for one line of JSON, which stays JSON. */
  maskJsonLine(line: string): string {
    const finder = this.finder();
    if (!finder.isIn(line)) return line;
    const masked = line.replace(jsonTokens, (token) => {
      if (!token.startsWith('"')) return finder.isIn(token) ? `"${maskMark}"` : token;
      const text = JSON.parse(token) as string;
      const shown = finder.mask(text);
      return shown === text ? token : JSON.stringify(shown);
    });
    if (!finder.isIn(masked)) return masked;
    // A secret that is made of several tokens, such as the JSON of a service account.
    const [, level = '50'] = /^\{"level":(\d+)/.exec(line) ?? [];
    return `{"level":${level},"msg":${JSON.stringify(finder.mask(masked.trim()))}}\n`;
  }
}
