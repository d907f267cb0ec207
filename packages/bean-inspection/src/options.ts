import type { MaskingOptions, View } from '@jig/inspect';
import { pointerTokens } from '@jig/inspect/basics';
import type { AccessRules } from './http/access.ts';
import type { InspectionLimits } from './http/parameters.ts';
import type { OnError } from './http/report-error.ts';
import type { BeanCreation } from './sources/bean-source.ts';

// The host checks its settings with this before it loads anything else, so it imports little.

/** A short token can be guessed, which gives access from anywhere, and cannot be masked. */
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

const isNonEmptyString = (value: unknown) => typeof value === 'string' && value !== '';

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isReadingAddress({ bean, at, reading }: Fields): boolean {
  const isPointer = typeof at === 'string' && pointerTokens(at) !== undefined;
  return isNonEmptyString(bean) && (at === undefined ? isNonEmptyString(reading) : isPointer && reading === undefined);
}

/** What the option `metrics` must be, as the end of an error message. */
export const metricsRule =
  'metrics by name such as { "orders.open": { "bean": "orders", "at": "/open/length" } }, with reading or at (a JSON Pointer), and unit (at most 63 ASCII characters), type ("gauge" or "counter") and description if wanted';

/** The names and units of instruments that OpenTelemetry allows. */
const namePattern = /^[a-z][\w.\-/]{0,254}$/i;
const unitPattern = /^[\x20-\x7e]{0,63}$/;

/** Whether a value is right for the option `metrics`. */
export const isMetrics = (given: unknown): given is MetricOptions =>
  isObject(given) && Object.entries(given).every(([name, metric]) => namePattern.test(name) && isMetric(metric));

function isMetric(given: unknown): boolean {
  if (!isObject(given)) return false;
  const { bean: _bean, at: _at, reading: _reading, unit = '', type = 'gauge', description, ...others } = given;
  const isTyped = type === 'gauge' || type === 'counter';
  const hasUnit = unitPattern.test(String(unit));
  const isDescribed = description === undefined || isNonEmptyString(description);
  return isReadingAddress(given) && hasUnit && isTyped && isDescribed && Object.keys(others).length === 0;
}

/** The thresholds of a value. */
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

/** How many values can be recorded. */
export const maxValues = 50;

/** What the option `watch` must be, as the end of an error message. */
export const watchRule = `a list of at most ${maxValues} values such as { "bean": "pool", "reading": "waiting", "over": 5 }, with reading or at (a JSON Pointer), and over and under if wanted`;

/** Whether a value is right for the option `watch`. */
export const isWatch = (given: unknown): given is readonly WatchedReading[] =>
  Array.isArray(given) && given.length <= maxValues && given.every(isWatched);

function isWatched(given: unknown): boolean {
  const isLimit = (limit: unknown) => limit === undefined || Number.isFinite(limit);
  return isObject(given) && isReadingAddress(given) && isLimit(given.over) && isLimit(given.under);
}

/** Whether a text can be an id of an instance: it stands in addresses, in headers and in pages. */
const isInstanceId = (text: string) => /^[\w.:~-]{1,200}$/.test(text) && text !== 'all';

export const isPrefix = (text: string) => /^(?:\/[\w.~-]+)*\/?$/.test(text);

export interface BeanInspectionOptions
  extends Partial<AccessRules>,
    Partial<InspectionLimits>,
    Pick<MaskingOptions, 'mask' | 'reveal'> {
  /** All addresses begin with it; `/jig` by default. */
  readonly prefix?: string;
  /** Whether beans can be inspected; by default, unless `NODE_ENV` is `production`. */
  readonly enabled?: boolean | undefined;
  /** What pages call the application; by default, the name in the `package.json` by which npm started it. */
  readonly application?: string | undefined;
  /** Whether reading a missing bean creates it, or only a POST; by default, as the source defines. */
  readonly create?: BeanCreation | undefined;
  /** Texts that are masked wherever they appear. */
  readonly secrets?: Iterable<string> | undefined;
  /** Views of your own classes, tried before the built-in ones; false for no views at all. */
  readonly views?: readonly View[] | false | undefined;
  /** The id of this process among the instances of the application, sent as `Jig-Instance`; by default, host name, process id and thread. */
  readonly instance?: string | undefined;
  /** Whether other processes of the same user find this one, by a file and a Unix socket; by default in development. */
  readonly announce?: boolean | undefined;
  /** Whether coding agents can look at beans, by the Model Context Protocol at `/mcp` below the prefix; true by default. */
  readonly mcp?: boolean | undefined;
  /** Values of beans that `/metrics` below the prefix exports beside readings of views, by the name of the metric. */
  readonly metrics?: MetricOptions | undefined;
  /** Values that are recorded from the start, each by a reading of its bean or a JSON Pointer, with limits if wanted. */
  readonly watch?: readonly WatchedReading[] | undefined;
  /** Called when a value that is recorded crosses one of its limits; for each limit once a minute at most. */
  readonly onThreshold?: ((event: ThresholdEvent) => unknown) | undefined;
  /** Called at the first request in development, with a line that says where the list is, and one for coding agents; writes to the console by default. */
  readonly onReady?: ((message: string) => void) | undefined;
  /** Called with what was thrown when a bean cannot be created or a document fails. Writes to the console by default. */
  readonly onError?: OnError | undefined;
}

/** Validated options with their defaults; lists are copied. */
export interface ParsedOptions extends BeanInspectionOptions {
  readonly prefix: string;
  readonly hosts: readonly string[];
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly secrets: readonly string[];
  readonly getters: InspectionLimits['getters'];
  readonly views: readonly View[] | false;
  readonly metrics: MetricOptions;
  readonly watch: readonly WatchedReading[];
}

const isStrings = (list: unknown) => Array.isArray(list) && list.every((each) => typeof each === 'string');

type Rule = readonly [must: string, isRight: (value: never) => boolean];
const strings: Rule = ['be a list of strings', isStrings];
const oneOf = (...choices: readonly string[]): Rule => [
  `be one of ${choices.join(', ')}`,
  (value: string) => choices.includes(value),
];

/** Checked at run time too; other options only by TypeScript. */
const rules: { readonly [Name in keyof BeanInspectionOptions]?: Rule } = {
  prefix: ['be a path such as /jig', isPrefix],
  token: [`have ${tokenRule}`, isToken],
  instance: ['have 1 to 200 letters, digits or characters of ._:~-, and not be all', isInstanceId],
  hosts: strings,
  allow: strings,
  deny: strings,
  create: oneOf('explicit', 'onRead'),
  getters: oneOf('run', 'own', 'none'),
  views: ['be a list of views, or false', (views) => views === false || Array.isArray(views)],
  metrics: [`be ${metricsRule}`, isMetrics],
  watch: [`be ${watchRule}`, isWatch],
};

/** Throws for invalid options. Called when the application starts, although what uses them is loaded later. */
export function parseOptions(options: BeanInspectionOptions): ParsedOptions {
  for (const [name, [must, isRight]] of Object.entries(rules)) {
    const value = options[name as keyof BeanInspectionOptions];
    if (value !== undefined && !isRight(value as never))
      throw new TypeError(`The option ${name} of beanInspection must ${must}.`);
  }
  const { hosts = [], allow = [], deny = [], secrets = [] } = options;
  const { getters = 'run', views = [], metrics = {}, watch = [] } = options;
  const prefix = (options.prefix ?? '/jig').replace(/\/$/, '');
  const lists = { hosts: [...hosts], allow: [...allow], deny: [...deny], secrets: [...secrets] };
  return { ...options, ...lists, prefix, getters, views, metrics, watch };
}
