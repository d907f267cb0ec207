import type { BatchObservableResult, Meter } from '@opentelemetry/api';
import { createMount, type Mount } from './mount.ts';
import { declaredMetrics, metricSamples } from './readings/metric-samples.ts';

/** An object that `Inspector.exposeOn` has given access to its mount. */
type Handle = { readonly [key: symbol]: ((create: typeof createMount) => Mount) | undefined };

/**
 * Registers what `/jig/metrics` shows with a meter of OpenTelemetry: readings of views with the name of a metric, and
 * those of the option `metrics`. From then on, the process is measured.
 *
 * @param inspection what `beanInspection` returned; the instance in Fastify, `app.get(BeanInspectionModule)` in Nest,
 * the bean `beanController` in Jig
 * @returns a function that ends the registration
 */
export function observeReadings(meter: Meter, inspection: object): () => void {
  const { [Symbol.for('jig.mount')]: getMount } = inspection as Handle;
  if (getMount === undefined)
    throw new TypeError(
      'observeReadings takes what beanInspection returned; in Fastify the instance, in Nest app.get(BeanInspectionModule), in Jig the bean beanController.',
    );
  const mount = getMount(createMount);
  mount.start();
  const instruments = new Map(
    declaredMetrics(mount).map(({ name, isCounter, ...options }) => [
      name,
      isCounter === true ? meter.createObservableCounter(name, options) : meter.createObservableGauge(name, options),
    ]),
  );
  const observe = (result: BatchObservableResult) => {
    for (const { metric, attributes, value } of metricSamples(mount)) {
      const instrument = instruments.get(metric.name);
      if (instrument !== undefined && value !== undefined) result.observe(instrument, value, attributes);
    }
  };
  const all = [...instruments.values()];
  meter.addBatchObservableCallback(observe, all);
  return () => meter.removeBatchObservableCallback(observe, all);
}
