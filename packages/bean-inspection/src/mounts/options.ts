import type { MaskingOptions, View } from '@jig/inspect';
import { type MetricOptions, metricsProblem } from '../beans/metric-options.ts';
import type { AccessRules } from '../http/access.ts';
import { parsePrefix } from '../http/address.ts';
import { defaultCharacters, defaultCreateTimeout, fewestCharacters, isToken, tokenRule } from '../http/option-rules.ts';
import type { InspectionLimits } from '../http/parameters.ts';
import type { OnError } from '../http/report-error.ts';
import { isInstanceId } from '../instances/identity.ts';
import type { BeanCreation } from '../sources/bean-source.ts';
import { parseWatch, type ThresholdEvent, type WatchedReading, watchRule } from '../watch/recording-options.ts';

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
  /** Whether a bean that does not exist is created when somebody looks at it, or asks for it; by default, what the source says. */
  readonly create?: BeanCreation | undefined;
  /** How many milliseconds a request waits for a bean that is being created; 10,000 by default. */
  readonly createTimeout?: number | undefined;
  /** Texts that are masked wherever they appear. */
  readonly secrets?: Iterable<string> | undefined;
  /** What is known of classes of yours, before the built-in views; false for none, also of those. */
  readonly views?: readonly View[] | false | undefined;
  /** What this process is called among others of the application, in `Jig-Instance`; by default, host name, process id and thread. */
  readonly instance?: string | undefined;
  /** Whether other processes of the same user find this one, by a file and a Unix socket; by default in development. */
  readonly announce?: boolean | undefined;
  /** Whether coding agents can look at beans, by the Model Context Protocol at `/mcp` below the prefix; true by default. */
  readonly mcp?: boolean | undefined;
  /** How many characters an answer to a coding agent may have; 32,000 by default. */
  readonly mcpCharacters?: number | undefined;
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

/** Options that are right, and cannot change any more. */
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
  readonly createTimeout: number;
  readonly mcpCharacters: number;
}

/** Throws for wrong ones, when the application starts: what they are for is loaded later. */
export function parseOptions(options: BeanInspectionOptions): ParsedOptions {
  return {
    ...options,
    prefix: parsePrefix(options.prefix),
    token: parseToken(options.token),
    instance: parseInstance(options.instance),
    hosts: parseList('hosts', options.hosts),
    allow: parseList('allow', options.allow),
    deny: parseList('deny', options.deny),
    secrets: [...(options.secrets ?? [])],
    getters: parseGetters(options.getters),
    views: parseViews(options.views),
    metrics: parseMetrics(options.metrics),
    watch: parseWatched(options.watch),
    create: parseCreation(options.create),
    createTimeout: parseTimeout(options.createTimeout),
    mcpCharacters: parseCharacters(options.mcpCharacters),
  };
}

function parseToken(token: string | undefined): string | undefined {
  if (token === undefined || isToken(token)) return token;
  throw new TypeError(`The option token of beanInspection must have ${tokenRule}.`);
}

function parseInstance(instance: string | undefined): string | undefined {
  if (instance === undefined || isInstanceId(instance)) return instance;
  throw new TypeError(
    `The option instance of beanInspection must have 1 to 200 letters, digits or characters of ._:~-, and not be all.`,
  );
}

function parseCreation(create: BeanCreation | undefined): BeanCreation | undefined {
  if (create === undefined || create === 'explicit' || create === 'onRead') return create;
  throw new TypeError(`The option create of beanInspection must be 'explicit' or 'onRead', not ${String(create)}.`);
}

function parseGetters(getters: InspectionLimits['getters'] = 'run'): InspectionLimits['getters'] {
  if (getters === 'run' || getters === 'own' || getters === 'none') return getters;
  throw new TypeError(`The option getters of beanInspection must be 'run', 'own' or 'none', not ${String(getters)}.`);
}

function parseViews(views: BeanInspectionOptions['views'] = []): readonly View[] | false {
  if (views === false || Array.isArray(views)) return views;
  throw new TypeError('The option views of beanInspection must be a list of views, or false.');
}

function parseMetrics(metrics: MetricOptions = {}): MetricOptions {
  const problem = metricsProblem(metrics);
  if (problem === undefined) return metrics;
  throw new TypeError(`The option metrics of beanInspection must have ${problem}.`);
}

/** A timer cannot run longer. */
const longestTimeout = 2 ** 31 - 1;

function parseTimeout(timeout = defaultCreateTimeout): number {
  if (Number.isSafeInteger(timeout) && timeout > 0 && timeout <= longestTimeout) return timeout;
  throw new TypeError(`The option createTimeout of beanInspection must be a number of milliseconds, not ${timeout}.`);
}

function parseCharacters(characters = defaultCharacters): number {
  if (Number.isSafeInteger(characters) && characters >= fewestCharacters) return characters;
  throw new TypeError(
    `The option mcpCharacters of beanInspection must be a whole number of at least ${fewestCharacters}, not ${characters}.`,
  );
}

function parseList(name: 'allow' | 'deny' | 'hosts', list: readonly string[] = []): readonly string[] {
  if (Array.isArray(list) && list.every((each) => typeof each === 'string')) return [...list];
  throw new TypeError(`The option ${name} of beanInspection must be a list of texts.`);
}

function parseWatched(given: BeanInspectionOptions['watch'] = []): readonly WatchedReading[] {
  const watch = parseWatch(given);
  if (watch === undefined) throw new TypeError(`The option watch of beanInspection must be ${watchRule}.`);
  return watch;
}
