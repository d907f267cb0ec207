import { startForTest, type TestApplication } from '@jig/application/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ordersFeature } from './feature.ts';
import type { NewOrder } from './orders.ts';

const placed = '2026-05-17T08:30:00Z';
const tea = { id: 1, customer: 'Ada', item: 'tea', amount: 2, placed };

/** A fake needs no database, so each test starts in milliseconds. */
const fakes = {
  databasePool: {},
  orders: {
    list: async (limit: number) => Array.from({ length: limit }, () => tea),
    find: async (id: number) => (id === tea.id ? tea : undefined),
    add: async (order: NewOrder) => ({ ...order, id: 2, placed }),
    remove: async (id: number) => id === tea.id,
  },
};

const startWithFakes = () => startForTest({ features: [ordersFeature], replace: fakes });

describe('GET /orders', () => {
  test('returns 20 orders by default, or the given number', async () => {
    await using application = await startWithFakes();
    expect((await application.inject('/orders')).json()).toHaveLength(20);
    expect((await application.inject('/orders?limit=3')).json()).toEqual([tea, tea, tea]);
  });

  test.each(['0', '101', 'many'])('rejects %s as the number of orders', async (limit) => {
    await using application = await startWithFakes();
    expect((await application.inject(`/orders?limit=${limit}`)).statusCode).toBe(400);
  });
});

describe('/orders/:id', () => {
  test('returns and removes an order', async () => {
    await using application = await startWithFakes();
    expect((await application.inject('/orders/1')).json()).toEqual(tea);
    expect((await application.inject({ method: 'DELETE', url: '/orders/1' })).statusCode).toBe(204);
  });

  test('answers 404 for an unknown order', async () => {
    await using application = await startWithFakes();
    const answer = await application.inject('/orders/7');
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ status: 404, detail: 'There is no order 7.' });
    expect((await application.inject({ method: 'DELETE', url: '/orders/7' })).statusCode).toBe(404);
  });
});

describe('with the embedded PostgreSQL', () => {
  let application: TestApplication;

  beforeAll(async () => {
    const manifest = new URL('../package.json', import.meta.url);
    application = await startForTest({ features: [ordersFeature], manifest });
  }, 60_000);

  afterAll(() => application.stop());

  test('an order is kept until it is removed', async () => {
    const orders = await application.beans.get('orders');
    const added = await orders.add({ customer: 'Ada', item: 'tea', amount: 2 });
    expect(added).toEqual({ ...tea, id: 1, placed: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) });
    expect((await application.inject('/orders/1')).json()).toEqual(added);
    expect((await application.inject('/orders')).json()).toEqual([added]);
    expect((await application.inject({ method: 'DELETE', url: '/orders/1' })).statusCode).toBe(204);
    expect((await application.inject('/orders')).json()).toEqual([]);
  });

  test('bean inspection shows the class of the orders', async () => {
    expect(application.beans.describe('orders')).toMatchObject({ type: 'Orders', dependencies: ['databasePool'] });
  });
});
