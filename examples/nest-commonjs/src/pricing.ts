import { Injectable } from '@nestjs/common';

/** Prices with tax, by country. */
@Injectable()
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
