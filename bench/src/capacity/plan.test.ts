import { expect, it } from 'vitest';
import { type Costs, plan, primaryMemory } from './plan.ts';

const costs: Costs = {
  page: 100,
  form: 200,
  redisRead: 10,
  redisWrite: 30,
  redisReadBytes: 300,
  redisWriteBytes: 500,
  pageBytes: 10_000,
  session: 400,
  instance: 100_000_000,
};

it('plans for pages and forms by their share', () => {
  const planned = plan(costs, { sessions: 10_000_000, requestsPerSecond: 100_000, forms: 0.1, instances: 10 });
  // 90,000 pages of 100 µs and 10,000 forms of 200 µs are 11 s of CPU in a second.
  expect(planned.load).toBeCloseTo(1.1);
  expect(planned.neededInstances).toBe(19);
  expect(planned.primariesByCpu).toBe(2);
  expect(planned.redisMemory).toBe(4_000_000_000);
  expect(planned.primariesByMemory).toBe(1);
  expect(planned.redisTraffic).toBeCloseTo(8 * 100_000 * 320);
  expect(planned.visitorTraffic).toBeCloseTo(8 * 90_000 * 10_000);
  expect(planned.connections).toEqual([10, 20]);
});

it('needs another primary as soon as the memory of one is passed', () => {
  const demand = { sessions: primaryMemory / 400 + 1, requestsPerSecond: 1, forms: 0, instances: 1 };
  expect(plan(costs, demand).primariesByMemory).toBe(2);
});
