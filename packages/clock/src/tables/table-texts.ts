type Section = 'names' | 'localeOrders' | 'zoneOrders';
type OrderSection = Exclude<Section, 'names'>;

/** The bytes of each piece, in the order of the text. */
export type TextLengths = Readonly<Record<Section, readonly number[]>>;

export const totalLength = (lengths: TextLengths): number =>
  Object.values(lengths)
    .flat()
    .reduce((sum, length) => sum + length, 0);

/** One long text that is cut when a piece is needed. */
export class TableTexts {
  readonly #text: Buffer;
  readonly #lengths: TextLengths;
  readonly #starts: Readonly<Record<Section, readonly number[]>>;
  /** There are some twenty of each, which are read when needed and kept. */
  readonly #orders: Record<OrderSection, Uint16Array[]> = { localeOrders: [], zoneOrders: [] };
  readonly #places: Record<OrderSection, Uint16Array[]> = { localeOrders: [], zoneOrders: [] };

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

  /** The patterns and names of one list: of the parts of locales first, of the groups of zones after them. */
  names(list: number): string[] {
    return this.#piece('names', list).split('\n');
  }

  /** Positions in sorted order. */
  order(section: OrderSection, order: number): Uint16Array {
    const kept = this.#orders[section];
    kept[order] ??= Uint16Array.from(this.#piece(section, order).split(' '), Number);
    return kept[order];
  }

  /** The other way round: for each position its place in sorted order. */
  places(section: OrderSection, order: number): Uint16Array {
    const kept = this.#places[section];
    kept[order] ??= inverse(this.order(section, order));
    return kept[order];
  }

  toString(): string {
    return this.#text.toString();
  }

  #piece(section: Section, position: number): string {
    const start = this.#starts[section][position] ?? 0;
    return this.#text.toString('utf8', start, start + (this.#lengths[section][position] ?? 0));
  }
}

function inverse(order: Uint16Array): Uint16Array {
  const places = new Uint16Array(order.length);
  for (const [place, position] of order.entries()) places[position] = place;
  return places;
}
