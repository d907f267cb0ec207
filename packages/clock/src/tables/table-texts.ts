type Section = 'names' | 'localeOrders' | 'zoneOrders';
type OrderSection = Exclude<Section, 'names'>;

/** The bytes of each piece, in the order of the text. */
export type TextLengths = Readonly<Record<Section, readonly number[]>>;

export const totalLength = (lengths: TextLengths): number =>
  Object.values(lengths)
    .flat()
    .reduce((sum, length) => sum + length, 0);

/** One long text, of which pieces are read when they are needed. */
export class TableTexts {
  readonly #text: Buffer;
  readonly #lengths: TextLengths;
  readonly #starts: Readonly<Record<Section, readonly number[]>>;
  /** Some twenty of each, kept once they were read. */
  readonly #orders: Record<OrderSection, Uint16Array[]> = { localeOrders: [], zoneOrders: [] };
  readonly #indexes: Record<OrderSection, Uint16Array[]> = { localeOrders: [], zoneOrders: [] };

  constructor(lengths: TextLengths, text: Buffer) {
    this.#text = text;
    this.#lengths = lengths;
    let end = 0;
    const startsOf = (section: Section) =>
      lengths[section].map((length) => {
        end += length;
        return end - length;
      });
    this.#starts = {
      names: startsOf('names'),
      localeOrders: startsOf('localeOrders'),
      zoneOrders: startsOf('zoneOrders'),
    };
  }

  /** The texts of one list: the punctuation of locale names, their parts, the groups of zones. */
  names(list: number): NameTexts {
    return new NameTexts(this.#bytes('names', list));
  }

  /** Positions in sorted order. */
  order(section: OrderSection, order: number): Uint16Array {
    const kept = this.#orders[section];
    kept[order] ??= Uint16Array.from(this.#bytes(section, order).toString().split(' '), Number);
    return kept[order];
  }

  /** The inverse: for each position its index in sorted order. */
  indexes(section: OrderSection, order: number): Uint16Array {
    const kept = this.#indexes[section];
    kept[order] ??= inverse(this.order(section, order));
    return kept[order];
  }

  toString(): string {
    return this.#text.toString();
  }

  #bytes(section: Section, position: number): Buffer {
    const start = this.#starts[section][position] ?? 0;
    return this.#text.subarray(start, start + (this.#lengths[section][position] ?? 0));
  }
}

function inverse(order: Uint16Array): Uint16Array {
  const indexes = new Uint16Array(order.length);
  for (const [index, position] of order.entries()) indexes[position] = index;
  return indexes;
}

const lineFeed = 0x0a;

/** A line that repeats the one before it, as those of zones with the same name do. */
export const sameAsBefore = '=';
const sameAsBeforeByte = sameAsBefore.charCodeAt(0);

/**
 * The texts that the names of one language consist of, as UTF-8 lines.
 * Bytes are copied into the page; thousands of short strings per page would only be garbage.
 */
export class NameTexts {
  readonly bytes: Buffer;
  /** Where each line begins and ends. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    let lines = 1;
    for (let at = 0; at < bytes.length; at++) if (bytes[at] === lineFeed) lines++;
    this.starts = new Uint32Array(lines);
    this.ends = new Uint32Array(lines);
    let start = 0;
    for (let line = 0; line < lines; line++) {
      const found = bytes.indexOf(lineFeed, start);
      const end = found === -1 ? bytes.length : found;
      const isSame = end === start + 1 && bytes[start] === sameAsBeforeByte;
      this.starts[line] = isSame ? (this.starts[line - 1] ?? 0) : start;
      this.ends[line] = isSame ? (this.ends[line - 1] ?? 0) : end;
      start = end + 1;
    }
  }

  text(line: number): string {
    return this.bytes.toString('utf8', this.starts[line], this.ends[line]);
  }
}

/** The lines of the tables that say how a language writes a number of hours. */
export interface HourTexts {
  /** Plus, minus and the decimal separator. */
  readonly signs: string;
  readonly forms: string;
  /** For each quarter of an hour up to 27 hours, the index of its form. */
  readonly formOf: string;
}
