import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Deadlines } from './deadlines.ts';

it('ends each wait after the span, in the order they began, and again after a pause', async () => {
  const deadlines = new Deadlines(60);
  const expired: string[] = [];
  const wait = (name: string) => deadlines.begin(() => expired.push(name));
  const start = performance.now();
  const endA = wait('a');
  expect(wait('b')()).toBe(true);
  await pause(20);
  wait('c');
  expect(expired).toEqual([]);
  await expect.poll(() => expired, { timeout: 5000 }).toEqual(['a', 'c']);
  expect(performance.now() - start).toBeGreaterThanOrEqual(79);
  expect(endA()).toBe(false);
  wait('d');
  await expect.poll(() => expired, { timeout: 5000 }).toEqual(['a', 'c', 'd']);
});

it('lets an answer that came during a stall win over its deadline', async () => {
  const deadlines = new Deadlines(30);
  let isExpired = false;
  const answered = new Promise<void>((resolve) => {
    const end = deadlines.begin(() => {
      isExpired = true;
    });
    // A timer that is due at the same time stands for input that waits in the poll phase.
    setTimeout(() => {
      end();
      resolve();
    }, 35);
  });
  const stalled = performance.now() + 200;
  while (performance.now() < stalled);
  await answered;
  await pause(50);
  expect(isExpired).toBe(false);
});
