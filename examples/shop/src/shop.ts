/** Prices with tax, by country. */
export class Pricing {
  readonly taxRates = new Map([
    ['de', 19],
    ['fr', 20],
    ['lu', 17],
  ]);

  gross(net: number, country: string): number | undefined {
    const rate = this.taxRates.get(country);
    return rate === undefined ? undefined : Math.round(net * (100 + rate)) / 100;
  }
}

export interface Order {
  readonly id: number;
  readonly country: string;
  readonly total: number;
}

/** The orders since the start. */
export class Orders {
  readonly list: Order[] = [];
  readonly #pricing: Pricing;

  constructor(pricing: Pricing) {
    this.#pricing = pricing;
  }

  /** Undefined when nothing is sold to that country. */
  place(net: number, country: string): Order | undefined {
    const total = this.#pricing.gross(net, country);
    if (total === undefined) return undefined;
    const order = { id: this.list.length + 1, country, total };
    this.list.push(order);
    return order;
  }
}
