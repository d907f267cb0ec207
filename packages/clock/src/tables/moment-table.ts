import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/** How a locale writes times and dates: what is absent can only be written by `Intl`, as dates of calendars with other months. */
export interface MomentTemplates {
  /** From zero to nine. */
  readonly digits: string;
  /** For each hour, with marks for the minute and the second. */
  readonly hours?: readonly string[];
  /** For each month, with marks for the day and the year. */
  readonly months?: readonly string[];
  /** How many digits a day has at least. */
  readonly dayDigits?: 1 | 2;
}

/** The templates of all locales that write differently from each other, by the position of the first that writes so. */
export class MomentTable {
  readonly #lines = new Map<number, string>();

  /** Short enough to be unpacked at once, when somebody first asks for it. */
  static read(file: URL): MomentTable {
    return new MomentTable(brotliDecompressSync(readFileSync(file)).toString());
  }

  /** @param text a line for each: the position, and the templates as JSON */
  constructor(text: string) {
    for (const line of text.split('\n')) {
      const end = line.indexOf(' ');
      this.#lines.set(Number(line.slice(0, end)), line.slice(end));
    }
  }

  templates(position: number): MomentTemplates | undefined {
    const line = this.#lines.get(position);
    return line === undefined ? undefined : (JSON.parse(line) as MomentTemplates);
  }
}
