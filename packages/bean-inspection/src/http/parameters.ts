import type { InspectionOptions } from '@jig/inspect';
import { pointerTokens } from '@jig/inspect/basics';
import { BeanProblem } from './problem.ts';

/** Limits of a document. */
export interface InspectionLimits {
  /** How many containers deep. */
  readonly depth: number;
  /** How many entries of each container, 0 for all. */
  readonly limit: number;
  /** Which getters are run. */
  readonly getters: NonNullable<InspectionOptions['getters']>;
  /** Whether private fields (`#x`) are shown. */
  readonly privateFields: boolean;
}

/** Limits that a request may lower, but not raise. */
export type Bounds = Pick<InspectionLimits, 'depth' | 'limit'>;

/** The maximum for requests: the configured limit, otherwise any safe integer. */
export const largestCounts = ({ depth, limit }: Bounds) => ({
  depth,
  limit: limit === 0 ? Number.MAX_SAFE_INTEGER : limit,
});

/** A query parameter: how it is parsed and described in `/openapi.json`. */
export interface Parameter<Value = unknown> {
  readonly description: string;
  /** JSON Schema of the value. */
  readonly schema: (bounds: Bounds) => object;
  /** Undefined for invalid text. */
  readonly parse: (text: string, bounds: Bounds) => Value | undefined;
  /** What the error message says after the name. */
  readonly rule: (bounds: Bounds) => string;
  /** The default. */
  readonly fallback: (bounds: Bounds) => Value;
  readonly isRequired?: boolean;
  /** How empty text is treated: as a value, as missing, or as invalid. */
  readonly empty: 'value' | 'none' | 'refused';
  /** Whether it can be repeated; then the value is a list. */
  readonly isList?: boolean;
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

const from = count('How many entries of that part to skip.', 0, () => Number.MAX_SAFE_INTEGER, none);

const maxDepth = (bounds: Bounds) => largestCounts(bounds).depth;
const maxEntries = (bounds: Bounds) => largestCounts(bounds).limit;

/** Of a bean or of the list of beans. */
export const documentParameters = {
  at,
  from,
  depth: count('How many containers deep to look.', 1, maxDepth, maxDepth),
  limit: count('How many entries of each container to show.', 1, maxEntries, ({ limit }) => limit || undefined),
  pretty: flag('Whether to indent.'),
};

const raw = flag('Whether to show objects as they are, ignoring the content of views.');

/** Of a bean. */
export const beanDocumentParameters = { ...documentParameters, raw };

const every = count(
  'Seconds between two reads for an event stream; 1 by default.',
  1,
  () => 3600,
  () => 1,
);

/** Of a bean as XML. */
export const beanXmlParameters = { ...beanDocumentParameters, every };

/** Of a bean as JSON, or as an event stream. */
export const beanParameters = {
  ...beanXmlParameters,
  glance: flag('Whether to add the readings of the bean, as `{ glance, bean }`; in JSON only.'),
};

const longestFind = 200;

export const listParameters = {
  ...documentParameters,
  find: {
    description: 'A text to search for in all beans that exist; masked values are not searched.',
    schema: () => ({ type: 'string', minLength: 1, maxLength: longestFind, pattern: '\\S' }),
    parse: (text) => (text.trim() === '' || text.length > longestFind ? undefined : text),
    rule: () => `must be a text of 1 to ${longestFind} characters`,
    fallback: none,
    empty: 'refused',
  } satisfies Parameter<string | undefined>,
  q: name('Filters the list by name.'),
  inside: flag('Whether to search inside of beans for q, like find.'),
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
  to: name('Another snapshot; the current beans by default.'),
  bean: name('The one bean to compare.'),
  kind: choice('Only changes of this kind.', ['changed', 'added', 'removed']),
  always: flag('Whether to include values that always change.'),
};

const longestName = 60;
const longestWait = 5000;

/** Of a new snapshot. */
export const snapshotParameters = {
  name: {
    ...name('What to call the snapshot.'),
    schema: () => ({ type: 'string', maxLength: longestName }),
    parse: (text: string) => (text.length > longestName ? undefined : text),
    rule: () => `may have at most ${longestName} characters`,
  },
  bean: name('The one bean to keep; all by default.'),
  wait: {
    ...count(
      'How many milliseconds to wait before the second look; what moves meanwhile is left out.',
      0,
      () => longestWait,
      none,
    ),
    // A form sends the empty field, too.
    schema: () => ({
      anyOf: [
        { type: 'integer', minimum: 0, maximum: longestWait },
        { type: 'string', enum: [''] },
      ],
    }),
    rule: () => `must be a whole number of milliseconds from 0 to ${longestWait}`,
    empty: 'none' as const,
  },
};

const notEmpty = { schema: () => ({ type: 'string', minLength: 1 }), empty: 'refused' } as const;

export const patchParameters = {
  from: { ...comparisonParameters.from, ...notEmpty, isRequired: true },
  to: { ...comparisonParameters.to, ...notEmpty },
  bean: { ...comparisonParameters.bean, ...notEmpty },
};

const decimal = /^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?$/i;

/** A threshold; null if it is given without a value, which removes it. */
const amount = (description: string): Parameter<number | null | undefined> => ({
  description,
  schema: () => ({ anyOf: [{ type: 'number' }, { type: 'string', enum: [''] }] }),
  parse: (text) =>
    text === '' ? null : decimal.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined,
  rule: () => 'must be a number',
  fallback: none,
  empty: 'value',
});

const ofValue = {
  bean: name('The bean that has the value.'),
  at: { ...at, description: 'The JSON Pointer (RFC 6901) of the value.' },
  reading: name('The name of the reading, instead of at.'),
};

/** Of recorded values. */
export const watchParameters = {
  ...ofValue,
  range: choice('How far to look back; 5m by default.', ['5m', '1h', '24h']),
};

/** Of starting and ending a recording. */
export const changeParameters = {
  ...ofValue,
  bean: { ...ofValue.bean, ...notEmpty, isRequired: true },
  over: amount('Report when the value is above this.'),
  under: amount('Report when the value is below this.'),
  action: choice('What to do; watch by default.', ['watch', 'remove']),
  back: name('The page to return to.'),
};

/** Of a POST to a bean. */
export const askParameters = {
  ask: { ...name('The reading to fetch, such as one from a server, instead of creating the bean.'), ...notEmpty },
};

export type Parameters = Readonly<Record<string, Parameter>>;

export type ParameterValues<Table extends Parameters> = {
  readonly [Name in keyof Table]: Table[Name] extends Parameter<infer Value> ? Value : never;
};

/** The query of a URL. */
export const queryOf = (url: string) => new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');

/** Unknown parameters are ignored. */
export function parseQuery<Table extends Parameters>(
  url: string | URLSearchParams,
  parameters: Table,
  bounds: Bounds,
): ParameterValues<Table> {
  const given = new Map<string, string[]>();
  for (const [name, text] of typeof url === 'string' ? queryOf(url) : url)
    given.set(name, [...(given.get(name) ?? []), text]);
  const values: Record<string, unknown> = {};
  for (const name in parameters)
    values[name] = valueFrom(given.get(name) ?? [], name, parameters[name] as Parameter, bounds);
  return values as ParameterValues<Table>;
}

function valueFrom(texts: readonly string[], name: string, parameter: Parameter, bounds: Bounds) {
  const [text] = texts;
  if (parameter.isList) return texts;
  if (texts.length > 1) throw new BeanProblem(400, `The parameter ${name} can be given only once.`);
  if (text === undefined && parameter.isRequired) throw new BeanProblem(400, `The parameter ${name} is missing.`);
  if (text === undefined || (text === '' && parameter.empty === 'none')) return parameter.fallback(bounds);
  const value = parameter.parse(text, bounds);
  if (value === undefined) throw new BeanProblem(400, `${name} ${parameter.rule(bounds)}.`);
  return value;
}

/** For `/openapi.json`. */
export const describeParameters = (parameters: Parameters, bounds: Bounds): readonly object[] =>
  Object.entries(parameters).map(([name, { description, schema, empty, isRequired = false }]) => ({
    name,
    in: 'query',
    required: isRequired,
    description,
    schema: schema(bounds),
    allowEmptyValue: empty !== 'refused',
  }));

/** Equal for streams of the same document, whatever their interval. */
export const streamKey = ({ every: _every, ...asked }: { readonly every?: unknown }): string => JSON.stringify(asked);
