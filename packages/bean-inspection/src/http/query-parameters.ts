import type { InspectionOptions } from '@jig/inspect';
import { pointerTokens } from '@jig/inspect/basics';
import { BeanProblem, type ProblemForm } from './problem.ts';

/** How much of a bean is shown at most. */
export interface InspectionLimits {
  /** How many containers deep. */
  readonly depth: number;
  /** How many entries of each container, 0 for all. */
  readonly limit: number;
  /** How many characters of each text. */
  readonly textLimit: number;
  /** How many milliseconds to work on one document. */
  readonly timeBudget: number;
  /** Which getters are run. */
  readonly getters: NonNullable<InspectionOptions['getters']>;
  /** Whether private fields (`#x`) are shown. */
  readonly privateFields: boolean;
}

/** What bounds a request may not exceed. */
export type Bounds = Pick<InspectionLimits, 'depth' | 'limit'>;

/** The most that a request may ask for: the configured limit, or any safe integer where there is none. */
export const largestCounts = ({ depth, limit }: Bounds) => ({
  depth,
  limit: limit === 0 ? Number.MAX_SAFE_INTEGER : limit,
});

/** A query parameter: how it is read, what `/openapi.json` says of it, and whether it makes a stream another one. */
export interface Parameter<Value = unknown> {
  readonly description: string;
  /** Its value as JSON Schema. */
  readonly schema: (bounds: Bounds) => object;
  /** The value that a text stands for; undefined for one that is refused. */
  readonly parse: (text: string, bounds: Bounds) => Value | undefined;
  /** What a refusal says after the name. */
  readonly rule: (bounds: Bounds) => string;
  /** The value where the parameter is not given. */
  readonly fallback: (bounds: Bounds) => Value;
  readonly isRequired?: boolean;
  /** What an empty text is: a value like others, the same as none, or refused. */
  readonly empty: 'value' | 'none' | 'refused';
  /** Whether it can be given several times; its value is a list then. */
  readonly isList?: boolean;
  /** Whether streams share their looks whatever its value is; only where the documents of all values are the same. */
  readonly isSharedByStreams?: boolean;
}

const none = () => undefined;

const count = <Fallback>(
  description: string,
  least: number,
  most: (bounds: Bounds) => number,
  fallback: (bounds: Bounds) => Fallback,
): Parameter<number | Fallback> => ({
  description,
  schema: (bounds) => ({ type: 'integer', minimum: least, maximum: most(bounds) }),
  parse(text, bounds) {
    const value = Number(text);
    return /^\d{1,16}$/.test(text) && value >= least && value <= most(bounds) ? value : undefined;
  },
  rule: (bounds) => `must be a whole number from ${least} to ${most(bounds)}`,
  fallback,
  empty: 'refused',
});

const flagTexts: ReadonlyMap<string, boolean> = new Map([
  ['', true],
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

const flag = (description: string): Parameter<boolean> => ({
  description,
  schema: () => ({ anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['', '0', '1'] }] }),
  parse: (text) => flagTexts.get(text),
  rule: () => 'is given without a value, or as true or false',
  fallback: () => false,
  empty: 'value',
});

const name = (description: string): Parameter<string | undefined> => ({
  description,
  schema: () => ({ type: 'string' }),
  parse: (text) => text || undefined,
  rule: () => 'must be a name',
  fallback: none,
  empty: 'none',
});

const choice = <Choice extends string>(
  description: string,
  choices: readonly Choice[],
): Parameter<Choice | undefined> => ({
  description,
  schema: () => ({ type: 'string', enum: ['', ...choices] }),
  parse: (text) => choices.find((each) => each === text),
  rule: () => `must be one of ${choices.join(', ')}`,
  fallback: none,
  empty: 'none',
});

const at: Parameter<string | undefined> = {
  description: 'A JSON Pointer (RFC 6901) to the part to show; empty for all of it.',
  schema: () => ({ type: 'string', pattern: '^(?:/(?:[^/~]|~[01])*)*$' }),
  parse: (text) => (pointerTokens(text) === undefined ? undefined : text),
  rule: () => 'must be a JSON Pointer (RFC 6901), such as /a/0/b',
  fallback: none,
  empty: 'value',
};

const from = count(
  'How many entries of that part to pass over; beyond the last there are none.',
  0,
  () => Number.MAX_SAFE_INTEGER,
  none,
);

const mostDepth = (bounds: Bounds) => largestCounts(bounds).depth;
const mostEntries = (bounds: Bounds) => largestCounts(bounds).limit;

/** An outline is made in one go, so it has so many rows of a container at most. */
const mostRows = (bounds: Bounds) => Math.min(mostEntries(bounds), 1000);

/** Of a document: a bean, or the list of all. */
export const documentParameters = {
  at,
  from,
  depth: count('How many containers deep to look.', 1, mostDepth, mostDepth),
  limit: count('How many entries of each container to show.', 1, mostEntries, ({ limit }) => limit || undefined),
  pretty: flag('Whether to indent.'),
};

const raw = flag('Whether objects are shown as they are, without what views know of their content.');

/** Of a bean. */
export const beanDocumentParameters = { ...documentParameters, raw };

/** The same, also as an event stream. */
export const beanParameters = {
  ...beanDocumentParameters,
  glance: flag('Whether what matters of it at a glance comes first, as `{ glance, bean }`; in JSON only.'),
  every: {
    ...count(
      'How many seconds to wait between two looks, when an event stream is asked for; 1 by default.',
      1,
      () => 3600,
      () => 1,
    ),
    isSharedByStreams: true,
  },
};

const longestFind = 200;

export const listParameters = {
  ...documentParameters,
  find: {
    description: 'A text to look for in all beans that exist, in place of the list; what is masked is not searched.',
    schema: () => ({ type: 'string', minLength: 1, maxLength: longestFind, pattern: '\\S' }),
    parse: (text) => (text.trim() === '' || text.length > longestFind ? undefined : text),
    rule: () => `must be a text of 1 to ${longestFind} characters`,
    fallback: none,
    empty: 'refused',
  } satisfies Parameter<string | undefined>,
};

export const outlineParameters = {
  at,
  from,
  limit: count('How many entries of each container to show; 100 by default.', 1, mostRows, (bounds) =>
    Math.min(mostRows(bounds), 100),
  ),
  levels: count('How many levels to open; 1 by default.', 1, mostDepth, none),
  raw,
};

export const graphParameters = {
  owner: {
    description: 'The owners whose beans to show; all by default.',
    schema: () => ({ type: 'array', items: { type: 'string' } }),
    parse: (text) => [text],
    rule: () => 'must be the name of an owner',
    fallback: () => [],
    empty: 'value',
    isList: true,
  } satisfies Parameter<readonly string[]>,
};

export const comparisonParameters = {
  from: name('The id or the name of a snapshot.'),
  to: name('Another snapshot; without it, how the beans are now.'),
  bean: name('The one bean to compare.'),
  kind: choice('Only changes of this kind.', ['changed', 'added', 'removed']),
  always: flag('Whether to show values that always move.'),
};

const notEmpty = { schema: () => ({ type: 'string', minLength: 1 }), empty: 'refused' } as const;

export const patchParameters = {
  from: { ...comparisonParameters.from, ...notEmpty, isRequired: true },
  to: { ...comparisonParameters.to, ...notEmpty },
  bean: { ...comparisonParameters.bean, ...notEmpty },
};

const amount = (description: string): Parameter<number | undefined> => ({
  description,
  schema: () => ({ anyOf: [{ type: 'number' }, { type: 'string', enum: [''] }] }),
  parse: (text) => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined),
  rule: () => 'must be a number',
  fallback: none,
  empty: 'none',
});

const ofValue = {
  bean: name('The bean that has the value.'),
  at: { ...at, description: 'The JSON Pointer (RFC 6901) of the value.' },
  reading: name('The reading that is the value, in place of at.'),
};

/** Of what is recorded. */
export const watchParameters = {
  ...ofValue,
  range: choice('How far to look back; 5m by default.', ['5m', '1h', '24h']),
};

/** Of what starts and ends recording. */
export const changeParameters = {
  ...ofValue,
  bean: { ...ofValue.bean, ...notEmpty, isRequired: true },
  over: amount('It is told when the value is over this.'),
  under: amount('It is told when the value is under this.'),
  action: choice('What to do; watch by default.', ['watch', 'remove']),
  back: name('The page to go back to.'),
};

/** Of a POST to a bean. */
export const askParameters = {
  ask: { ...name('The reading to ask for, which lives elsewhere, in place of creating the bean.'), ...notEmpty },
};

/** Of every address. */
export const instanceParameters = {
  instance: {
    description: 'The id of the instance that is to answer; of a bean, `all` for each of them.',
    schema: () => ({ type: 'string', minLength: 1 }),
    parse: (text) => text || undefined,
    rule: () => 'must be the id of an instance',
    fallback: none,
    empty: 'refused',
  } satisfies Parameter<string | undefined>,
};

/** Stands for each instance. */
export const allInstances = 'all';

export type Parameters = Readonly<Record<string, Parameter>>;

export type ParameterValues<Table extends Parameters> = {
  readonly [Name in keyof Table]: Table[Name] extends Parameter<infer Value> ? Value : never;
};

/** The query of a URL. */
export const queryOf = (url: string) => new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');

/** What a query asks for, within what the configuration allows. Parameters of other names are ignored. */
export function parseQuery<Table extends Parameters>(
  url: string | URLSearchParams,
  parameters: Table,
  bounds: Bounds,
  form: ProblemForm,
): ParameterValues<Table> {
  const query = typeof url === 'string' ? queryOf(url) : url;
  const read = ([name, parameter]: [string, Parameter]) => [name, valueIn(query, name, parameter, bounds, form)];
  return Object.fromEntries(Object.entries(parameters).map(read)) as ParameterValues<Table>;
}

function valueIn(query: URLSearchParams, name: string, parameter: Parameter, bounds: Bounds, form: ProblemForm) {
  const [text, ...others] = query.getAll(name);
  if (parameter.isList) return query.getAll(name);
  if (others.length > 0) throw new BeanProblem(400, `The parameter ${name} can be given only once.`, { form });
  if (text === undefined && parameter.isRequired)
    throw new BeanProblem(400, `The parameter ${name} is missing.`, { form });
  if (text === undefined || (text === '' && parameter.empty === 'none')) return parameter.fallback(bounds);
  const value = parameter.parse(text, bounds);
  if (value === undefined) throw new BeanProblem(400, `${name} ${parameter.rule(bounds)}.`, { form });
  return value;
}

/** What `/openapi.json` says of parameters. */
export const describeParameters = (parameters: Parameters, bounds: Bounds): readonly object[] =>
  Object.entries(parameters).map(([name, { description, schema, empty, isRequired = false }]) => ({
    name,
    in: 'query',
    required: isRequired,
    description,
    schema: schema(bounds),
    allowEmptyValue: empty !== 'refused',
  }));

/** The same for all streams that show the same: it has the values of all parameters but those that say otherwise. */
export const streamKey = <Table extends Parameters>(parameters: Table, values: ParameterValues<Table>): string =>
  JSON.stringify(
    Object.entries(parameters).flatMap(([name, each]) => (each.isSharedByStreams ? [] : [values[name] ?? null])),
  );

/** An outline is made in one go, which must not hold up others for long. */
export const outlineBudgetMs = 200;
