import { NameTexts } from './name-texts.ts';

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

  /** The texts of one list: what stands between the parts of a locale's name, the parts, the groups of zones. */
  names(list: number): NameTexts {
    return new NameTexts(this.#bytes('names', list));
  }

  /** Positions in sorted order. */
  order(section: OrderSection, order: number): Uint16Array {
    const kept = this.#orders[section];
    kept[order] ??= Uint16Array.from(this.#bytes(section, order).toString().split(' '), Number);
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

  #bytes(section: Section, position: number): Buffer {
    const start = this.#starts[section][position] ?? 0;
    return this.#text.subarray(start, start + (this.#lengths[section][position] ?? 0));
  }
}

function inverse(order: Uint16Array): Uint16Array {
  const places = new Uint16Array(order.length);
  for (const [place, position] of order.entries()) places[position] = place;
  return places;
}
