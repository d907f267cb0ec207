import { defineAddOn, defineFeature, type Feature } from '@jig/application';
import { startForTest } from '@jig/application/testing';
import { describe, expect, it } from 'vitest';

class Stock {
  readonly #amounts = new Map([['apple', 3]]);
  amount(name: string): number {
    return this.#amounts.get(name) ?? 0;
  }
}

declare module '@jig/application' {
  interface BeanTypes {
    testStock: Stock;
    testPrices: ReadonlyMap<string, number>;
  }
}

const stock = defineFeature({
  name: 'stock',
  needs: ['testStock', 'testPrices'],
  register(host) {
    host.define('testStock', { create: ({ testPrices }) => (testPrices.size > 0 ? new Stock() : new Stock()) });
    host.link({ title: 'Stock', path: '/stock/apple', description: 'How many apples there are.' });
    host.health('stock', ({ testStock }) => ({ ok: testStock.amount('apple') > 0, state: 'ready' }));
    host.routes(async (server, { testStock, testPrices }) => {
      server.get<{ Params: { name: string } }>(
        '/stock/:name',
        { schema: { summary: 'Stock.' } },
        async ({ params: { name } }) => ({
          amount: testStock.amount(name),
          price: testPrices.get(name),
        }),
      );
    });
  },
});

const prices = defineFeature({
  name: 'prices',
  register: (host) => host.define('testPrices', { create: () => new Map([['apple', 0.5]]) }),
});

/** A feature in JavaScript, where no type helps. */
function needing(name: string): Feature {
  const feature: Feature = { name: 'guests', register() {} };
  Object.assign(feature, { needs: [name] });
  return feature;
}

describe('what a part needs', () => {
  it('is passed to its routes and its health check, with its type', async () => {
    await using application = await startForTest({ features: [stock, prices] });
    expect((await application.inject('/stock/apple')).json()).toEqual({ amount: 3, price: 0.5 });
    expect((await application.inject('/health')).json().parts.stock).toMatchObject({ ok: true, state: 'ready' });
  });

  it('ends the start with one sentence when no part defines it', async () => {
    await expect(startForTest({ features: [needing('elsewhere')] })).rejects.toMatchObject({
      code: 'JIG_BEAN_UNKNOWN',
      message:
        'The feature guests needs the bean elsewhere, which no part defines; include the part that defines it, or correct the name.',
    });
  });
});

describe('the types of beans', () => {
  it('come from BeanTypes, and a wrong definition does not compile', async () => {
    const typed = defineFeature({
      name: 'typed',
      register(host) {
        // @ts-expect-error it is no map of prices
        host.define('testPrices', { create: () => 'expensive' });
        // @ts-expect-error there is no such bean
        defineFeature({ name: 'misspelt', needs: ['testPrice'], register: () => {} });
        defineAddOn({
          name: 'a',
          needs: ['testPrices'],
          // @ts-expect-error it needs testPrices only
          register: (host) => host.routes(async (_, { testStock }) => void testStock),
        });
      },
    });
    await using application = await startForTest({ features: [typed] });
    // @ts-expect-error a price is a number
    const wrong: string | undefined = (await application.beans.get('testPrices')).length;
    const peeked: ReadonlyMap<string, number> | undefined = application.beans.peek('testPrices');
    expect([wrong, peeked]).toEqual([9, 'expensive']);
  });
});
