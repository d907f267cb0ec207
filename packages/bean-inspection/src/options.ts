import type { MaskingOptions, View } from '@jig/inspect';
import type { AccessRules } from './http/access.ts';
import { parsePrefix } from './http/address.ts';
import type { InspectionLimits } from './http/parameters.ts';
import type { OnError } from './http/report-error.ts';
import { isInstanceId } from './instances/identity.ts';
import {
  isToken,
  isWatch,
  type MetricOptions,
  metricsProblem,
  type ThresholdEvent,
  tokenRule,
  type WatchedReading,
  watchRule,
} from './option-rules.ts';
import type { BeanCreation } from './sources/bean-source.ts';

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
  /** What is known of classes of yours, before the built-in views; false for none, also of those. */
  readonly views?: readonly View[] | false | undefined;
  /** What this process is called among others of the application, in `Jig-Instance`; by default, host name, process id and thread. */
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
}

/** What is wrong with a value, to end a sentence with; undefined for one that is right. */
type Problem = (value: never) => string | undefined;

const must =
  <Value>(rule: string, isRight: (value: Value) => boolean): Problem =>
  (value) =>
    isRight(value) ? undefined : rule;
const oneOf = (...choices: readonly string[]) =>
  must(`be one of ${choices.join(', ')}`, (value: string) => choices.includes(value));
const strings = must(
  'be a list of strings',
  (list: unknown) => Array.isArray(list) && list.every((each) => typeof each === 'string'),
);

/** Checked at run time too; other options only by TypeScript. */
const problems: { readonly [Name in keyof BeanInspectionOptions]?: Problem } = {
  token: must(`have ${tokenRule}`, isToken),
  instance: must('have 1 to 200 letters, digits or characters of ._:~-, and not be all', isInstanceId),
  hosts: strings,
  allow: strings,
  deny: strings,
  create: oneOf('explicit', 'onRead'),
  getters: oneOf('run', 'own', 'none'),
  views: must('be a list of views, or false', (views) => views === false || Array.isArray(views)),
  metrics(metrics) {
    const problem = metricsProblem(metrics);
    return problem && `have ${problem}`;
  },
  watch: must(`be ${watchRule}`, isWatch),
};

/** Throws for wrong ones, when the application starts: what they are for is loaded later. */
export function parseOptions(options: BeanInspectionOptions): ParsedOptions {
  for (const [name, problemOf] of Object.entries(problems)) {
    const value = options[name as keyof BeanInspectionOptions];
    const problem = value === undefined ? undefined : problemOf(value as never);
    if (problem !== undefined) throw new TypeError(`The option ${name} of beanInspection must ${problem}.`);
  }
  const { hosts = [], allow = [], deny = [], secrets = [] } = options;
  const { getters = 'run', views = [], metrics = {}, watch = [] } = options;
  const prefix = parsePrefix(options.prefix);
  const lists = { hosts: [...hosts], allow: [...allow], deny: [...deny], secrets: [...secrets] };
  return { ...options, ...lists, prefix, getters, views, metrics, watch };
}
