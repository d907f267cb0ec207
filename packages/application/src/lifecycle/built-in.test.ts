import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ProcessBean } from './built-in.ts';

function startedBean(): ProcessBean {
  const bean = new ProcessBean();
  onTestFinished(() => bean.stop());
  bean.start();
  return bean;
}

it('ProcessBean shows no delay before the first sample, and then how late timers were, not how far apart', async () => {
  const bean = startedBean();
  expect(bean.eventLoopDelay).toEqual({ mean: 0, percentile99: 0, maximum: 0 });
  const resolution = 20;
  const apart = monitorEventLoopDelay({ resolution });
  apart.enable();
  onTestFinished(() => void apart.disable());
  await expect.poll(() => apart.count, { timeout: 20_000 }).toBeGreaterThan(20);
  const { mean, percentile99, maximum } = bean.eventLoopDelay;
  for (const delay of [mean, percentile99, maximum]) expect(delay).toBeGreaterThanOrEqual(0);
  // Whatever else the machine is at makes both later.
  expect(mean).toBeLessThan(apart.mean / 1e6 - resolution / 2);
}, 30_000);

it('ProcessBean shows how long the event loop was blocked', async () => {
  const bean = startedBean();
  await setTimeout(100);
  const end = performance.now() + 200;
  while (performance.now() < end);
  await vi.waitFor(() => expect(bean.eventLoopDelay.maximum).toBeGreaterThan(150), { timeout: 5000 });
});
