import { pointerTokens } from '@jig/inspect/basics';

// Apart from what uses them, so that settings can be checked where nothing else is loaded.

/** A guessed token gives access from anywhere, and a very short one cannot be masked. */
export const tokenRule = 'at least 12 characters, without white space and of ASCII characters only';

/** Whether a text may be a token: a header carries visible ASCII characters unchanged (RFC 9110, section 5.5). */
export const isToken = (text: string) => /^[!-~]{12,}$/.test(text);

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

const isText = (value: unknown) => typeof value === 'string' && value !== '';
const isPointer = (value: unknown) => typeof value === 'string' && pointerTokens(value) !== undefined;

/** As OpenTelemetry has names of instruments. */
const namePattern = /^[a-z][\w.\-/]{0,254}$/i;
const unitPattern = /^[\x20-\x7e]{0,63}$/;

/** The fields of a metric: whether a value is right, and what it must be. */
const fields = new Map<string, readonly [isRight: (value: unknown) => boolean, rule: string]>([
  ['bean', [isText, 'the name of a bean']],
  ['at', [isPointer, 'a JSON Pointer such as /open/length']],
  ['reading', [isText, 'the name of a reading']],
  ['unit', [(unit) => unitPattern.test(String(unit)), 'a unit such as s or By, of at most 63 ASCII characters,']],
  ['type', [(type) => type === 'gauge' || type === 'counter', '"gauge" or "counter"']],
  ['description', [isText, 'a text']],
]);

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
  const { bean, at, reading }: Partial<Record<string, unknown>> = metric;
  const given = Object.entries({ ...metric, bean }).filter(([field, value]) => field === 'bean' || value !== undefined);
  for (const [field, value] of given) {
    const [isRight, rule] = fields.get(field) ?? [];
    if (isRight === undefined)
      return `nothing but ${[...fields.keys()].join(', ')} for ${name}, not ${JSON.stringify(field)}`;
    if (!isRight(value)) return `${rule} as ${field} of ${name}`;
  }
  return (at === undefined) === (reading === undefined) ? `either at or reading for ${name}` : undefined;
}

/** When a value is worth telling. */
export interface Limits {
  readonly over?: number | undefined;
  readonly under?: number | undefined;
}

/** A value to record, as the option `watch` names it. */
export type WatchedReading = ReadingAddress & Limits;

/** A value that has crossed a limit, as `onThreshold` gets it. */
export interface ThresholdEvent {
  readonly bean: string;
  readonly at?: string;
  readonly reading?: string;
  readonly crossed: 'over' | 'under';
  readonly limit: number;
  readonly value: number;
  readonly unit?: string;
  /** As in ISO 8601. */
  readonly time: string;
}

/** Its line in the log. Names are in quotes, since they may contain line breaks. */
export const thresholdLine = ({ bean, at, reading, crossed, limit, value }: ThresholdEvent) =>
  `bean inspection: ${JSON.stringify(at ?? reading)} of the bean ${JSON.stringify(bean)} is ${value}, ${crossed} its limit ${limit}`;

/** How many values are recorded at most. */
export const maxValues = 50;

/** What the option `watch` must be, to end a sentence with. */
export const watchRule = `a list of at most ${maxValues} values such as { "bean": "pool", "reading": "waiting", "over": 5 }, with reading or at (a JSON Pointer), and over and under if wanted`;

/** Whether a value is right for the option `watch`. */
export const isWatch = (given: unknown): given is readonly WatchedReading[] =>
  Array.isArray(given) && given.length <= maxValues && given.every(isWatched);

function isWatched(given: unknown): given is WatchedReading {
  if (typeof given !== 'object' || given === null) return false;
  const { bean, at, reading, over, under } = given as Readonly<Record<string, unknown>>;
  const isLimit = (limit: unknown) => limit === undefined || Number.isFinite(limit);
  const isAddress = at === undefined ? isText(reading) : isPointer(at) && reading === undefined;
  return isText(bean) && isAddress && isLimit(over) && isLimit(under);
}
