import { pointerTokens } from '@jig/inspect/basics';

/** A value of a bean: by the name of a reading of its view, or by a JSON Pointer. */
export type ReadingAddress = { readonly bean: string } & ({ readonly at: string } | { readonly reading: string });

/** A value of a bean that is exported as a metric. */
export type MetricOption = ReadingAddress & {
  /** As OpenTelemetry writes units: `s`, `By`, `1` for a ratio, `{order}` for what is counted. */
  readonly unit?: string | undefined;
  /** Whether it only grows; `gauge` by default. */
  readonly type?: 'gauge' | 'counter' | undefined;
  readonly description?: string | undefined;
};

/** Metrics by name, such as `{ 'orders.open': { bean: 'orders', at: '/open/length' } }`. */
export type MetricOptions = Readonly<Record<string, MetricOption>>;

/** As OpenTelemetry has names of instruments. */
const namePattern = /^[a-z][\w.\-/]{0,254}$/i;
const unitPattern = /^[\x20-\x7e]{0,63}$/;
const fields = ['bean', 'at', 'reading', 'unit', 'type', 'description'];

/** What is wrong with metrics, to end a sentence with that says what they must have; undefined for those that are right. */
export function metricsProblem(given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return 'metrics by name';
  for (const [name, metric] of Object.entries(given)) {
    const problem = metricProblem(name, metric);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function metricProblem(name: string, metric: unknown): string | undefined {
  if (!namePattern.test(name))
    return `names that begin with a letter and have letters, digits, "_", ".", "-" and "/" only, not ${JSON.stringify(name)}`;
  if (typeof metric !== 'object' || metric === null) return `an object for ${name}`;
  const { bean, at, reading, unit, type, description }: Readonly<Record<string, unknown>> = { ...metric };
  const other = Object.keys(metric).find((field) => !fields.includes(field));
  if (other !== undefined) return `nothing but ${fields.join(', ')} for ${name}, not ${JSON.stringify(other)}`;
  if (typeof bean !== 'string' || bean === '') return `the name of a bean as bean of ${name}`;
  if ((at === undefined) === (reading === undefined)) return `either at or reading for ${name}`;
  if (at !== undefined && (typeof at !== 'string' || pointerTokens(at) === undefined))
    return `a JSON Pointer such as /open/length as at of ${name}`;
  if (reading !== undefined && (typeof reading !== 'string' || reading === ''))
    return `the name of a reading as reading of ${name}`;
  if (type !== undefined && type !== 'gauge' && type !== 'counter') return `"gauge" or "counter" as type of ${name}`;
  if (unit !== undefined && (typeof unit !== 'string' || !unitPattern.test(unit)))
    return `a unit such as s or By, of at most 63 ASCII characters, as unit of ${name}`;
  if (description !== undefined && typeof description !== 'string') return `a text as description of ${name}`;
  return undefined;
}
