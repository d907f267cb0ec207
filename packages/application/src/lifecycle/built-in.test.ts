import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ProcessBean } from './built-in.ts';

function startedBean(): ProcessBean {
  const bean = new ProcessBean();
  onTestFinished(() => bean.stop());
  bean.start();
  return bean;
}

it('ProcessBean shows no delay before the first sample, and almost none in an idle process', async () => {
  const bean = startedBean();
  expect(bean.eventLoopDelay).toEqual({ mean: 0, percentile99: 0, maximum: 0 });
  await setTimeout(300);
  // Whatever else the machine is at makes the mean larger for a while; the interval between two samples would do so for good.
  await vi.waitFor(
    () => {
      const { mean, percentile99, maximum } = bean.eventLoopDelay;
      expect(mean).toBeLessThan(10);
      for (const delay of [mean, percentile99, maximum]) expect(delay).toBeGreaterThanOrEqual(0);
    },
    { timeout: 20_000, interval: 100 },
  );
}, 30_000);

it('ProcessBean shows how long the event loop was blocked', async () => {
  const bean = startedBean();
  await setTimeout(100);
  const end = performance.now() + 200;
  while (performance.now() < end);
  await vi.waitFor(() => expect(bean.eventLoopDelay.maximum).toBeGreaterThan(150), { timeout: 5000 });
});
