import { Injectable } from '@nestjs/common';
import { Pricing } from './pricing.ts';

export interface Order {
  readonly id: number;
  readonly country: string;
  readonly total: number;
}

/** The orders since the start. */
@Injectable()
export class Orders {
  readonly list: Order[] = [];

  constructor(private readonly pricing: Pricing) {}

  /** Undefined when nothing is sold to that country. */
  place(net: number, country: string): Order | undefined {
    const total = this.pricing.gross(net, country);
    if (total === undefined) return undefined;
    const order = { id: this.list.length + 1, country, total };
    this.list.push(order);
    return order;
  }
}
