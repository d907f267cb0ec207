import type { Reading } from '@jig/inspect';
import { labelOf, type MetricFacts, metrics } from '@jig/inspect/internal';
import type { Mount } from '../mount.ts';
import type { MetricOption } from '../options.ts';

/** A metric as it is exported: with OpenTelemetry's name and unit where it has one. */
export interface Metric extends MetricFacts {
  readonly name: string;
}

/** A value of a metric, or why there is none. */
export interface Sample {
  readonly metric: Metric;
  readonly attributes: Readonly<Record<string, string>>;
  readonly value?: number | undefined;
  readonly fault?: string | undefined;
}

/** Units of readings, as OpenTelemetry writes them. */
const units: Readonly<Record<string, string>> = {
  bytes: 'By',
  kB: 'kBy',
  MB: 'MBy',
  GB: 'GBy',
  '%': '%',
  ms: 'ms',
  s: 's',
};

/** What a reading is divided by to get the unit of its metric. */
const divisors: Readonly<Record<string, number>> = { 'ms as s': 1000, '% as 1': 100 };

function metricOf(name: string, reading: string, { unit, description }: Partial<Facts>): Metric {
  const known: MetricFacts | undefined = Object.hasOwn(metrics, name)
    ? metrics[name as keyof typeof metrics]
    : undefined;
  if (known !== undefined) return { name, ...known };
  return {
    name,
    unit: unit === undefined ? '' : (units[unit] ?? `{${unit}}`),
    description: description ?? labelOf(reading),
  };
}

type Facts = { readonly [Name in 'unit' | 'description']: Reading[Name] | undefined };

/** The description names neither the pointer nor the bean, since both may contain a secret. */
const optionMetric = (name: string, { unit = '', type, description = 'A value of a bean.' }: MetricOption): Metric => ({
  name,
  unit,
  description,
  ...(type === 'counter' && { isCounter: true }),
});

/** What views and the option `metrics` may export, by name, whether there are values or not. */
export function declaredMetrics({ options: { views, metrics } }: Mount): readonly Metric[] {
  const ofViews = views.flatMap(({ readings = {} }) =>
    Object.entries(readings).flatMap(([reading, { metric, ofMetric, unit, description }]) =>
      [metric, ofMetric].flatMap((name) => (name === undefined ? [] : metricOf(name, reading, { unit, description }))),
    ),
  );
  const own = Object.entries(metrics).map(([name, option]) => optionMetric(name, option));
  return [...new Map([...ofViews, ...own].map((metric) => [metric.name, metric])).values()];
}

/** All that is exported, as it is now: readings of views with the name of a metric, and those of the option `metrics`. */
export function* metricSamples({ readings, options }: Mount): Generator<Sample, void, undefined> {
  for (const { bean, reading, metric, ofMetric, attributes = {}, ...facts } of readings.all()) {
    if (metric === undefined && ofMetric === undefined) continue;
    const { value, of, fault } = readings.read({ bean, reading });
    const sample = (name: string, number: number | undefined): Sample => {
      const exported = metricOf(name, reading, facts);
      const divisor = divisors[`${facts.unit} as ${exported.unit}`] ?? 1;
      const ofPool = name.startsWith('db.client.connection.') ? { 'db.client.connection.pool.name': bean } : {};
      return {
        metric: exported,
        attributes: { bean, ...ofPool, ...(name === metric ? attributes : {}) },
        value: number === undefined ? undefined : number / divisor,
        fault,
      };
    };
    if (metric !== undefined) yield sample(metric, value);
    if (ofMetric !== undefined) yield sample(ofMetric, of);
  }
  for (const [name, option] of Object.entries(options.metrics)) {
    const { value, fault } = readings.read(option);
    yield { metric: optionMetric(name, option), attributes: { bean: option.bean }, value, fault };
  }
}
