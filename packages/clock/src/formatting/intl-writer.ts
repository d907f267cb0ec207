import { type FormatStyle, formatOptions } from './format-style.ts';
import type { MomentWriter } from './moment-writer.ts';

/** Has `Intl` write; V8 keeps some 130 KB forever for each locale that is written in so. */
export class IntlWriter implements MomentWriter {
  readonly #tag: string;
  #time: Intl.DateTimeFormat | undefined;

  constructor(tag: string) {
    this.#tag = tag;
  }

  time(local: number): string {
    this.#time ??= this.#format('medium time');
    return this.#time.format(local);
  }

  /** Asked for once a day, so that the formatter need not be kept. */
  date(local: number): string {
    return this.#format('long date').format(local);
  }

  #format(style: FormatStyle): Intl.DateTimeFormat {
    return new Intl.DateTimeFormat(this.#tag, formatOptions[style]);
  }
}
