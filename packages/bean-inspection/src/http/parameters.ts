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
export const largestCounts = ({ depth, limit }: Bounds) => ({ depth, limit: limit || Number.MAX_SAFE_INTEGER });

/** The subset of JSON Schema that describes query parameters and the arguments of tools. */
export interface ValueSchema {
  readonly type: 'boolean' | 'integer' | 'number' | 'string';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  /** That of a JSON Pointer. */
  readonly pattern?: typeof pointerPattern;
  readonly minLength?: number;
  readonly maxLength?: number;
}

const pointerPattern = '^(?:/(?:[^/~]|~[01])*)*$';
export const pointer: ValueSchema = { type: 'string', pattern: pointerPattern };

/** What a value must be; undefined if it is valid. */
export function expectation(value: unknown, schema: ValueSchema): string | undefined {
  const { type, enum: choices, pattern, minimum = 0, maximum = Infinity, minLength = 0, maxLength = Infinity } = schema;
  if (choices !== undefined) return choices.some((each) => each === value) ? undefined : `one of ${choices.join(', ')}`;
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : 'true or false';
  if (type === 'number') return Number.isFinite(value) ? undefined : 'a number';
  if (type === 'integer') {
    const isBetween = Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
    return isBetween ? undefined : `a whole number from ${minimum} to ${maximum}`;
  }
  const isText = typeof value === 'string' && value.length >= minLength && value.length <= maxLength;
  if (!isText) return `a text of ${minLength} to ${maxLength} characters`;
  const isPointer = pattern === undefined || pointerTokens(value) !== undefined;
  return isPointer ? undefined : 'a JSON Pointer (RFC 6901), such as /a/0/b';
}

/** A query parameter. */
export interface Parameter<Value = unknown> {
  readonly description: string;
  readonly schema: ValueSchema;
  /** The value when it is missing. */
  readonly fallback: Value;
  /** The value of empty text, which otherwise counts as missing. */
  readonly empty?: Value;
  readonly isRequired?: boolean;
  /** Whether it can be repeated; then the value is a list. */
  readonly isList?: boolean;
}

export const integer = <Fallback = undefined>(
  description: string,
  minimum: number,
  maximum: number,
  fallback?: Fallback,
): Parameter<number | Fallback> => ({
  description,
  schema: { type: 'integer', minimum, maximum },
  fallback: fallback as Fallback,
});

export const flag = (description: string): Parameter<boolean> => ({
  description,
  schema: { type: 'boolean' },
  fallback: false,
  empty: true,
});

export const text = (description: string, maxLength?: number): Parameter<string | undefined> => ({
  description,
  schema: { type: 'string', ...(maxLength && { maxLength }) },
  fallback: undefined,
});

export const choice = <Choice extends string>(
  description: string,
  choices: readonly Choice[],
): Parameter<Choice | undefined> => ({
  description,
  schema: { type: 'string', enum: choices },
  fallback: undefined,
});

export const required = <Value>(parameter: Parameter<Value | undefined>) =>
  ({ ...parameter, isRequired: true }) as Parameter<Value>;

/** A threshold; null if it is given without a value, which removes it. */
const threshold = (description: string): Parameter<number | null | undefined> => ({
  description,
  schema: { type: 'number' },
  fallback: undefined,
  empty: null,
});

const at: Parameter<string | undefined> = {
  description: 'A JSON Pointer (RFC 6901) to the part to show; empty for all of it.',
  schema: pointer,
  fallback: undefined,
  empty: '',
};

/** For a bean or the list of beans. */
const documentParameters = {
  at,
  from: integer('How many entries of that part to skip.', 0, Number.MAX_SAFE_INTEGER),
  depth: integer('How many containers deep to look.', 1, Number.MAX_SAFE_INTEGER),
  limit: integer('How many entries of each container to show.', 1, Number.MAX_SAFE_INTEGER),
  pretty: flag('Whether to indent.'),
};

/** Of a bean. */
export const beanDocumentParameters = {
  ...documentParameters,
  raw: flag('Whether to show objects as they are, ignoring the content of views.'),
};

/** Of a bean as XML. */
export const beanXmlParameters = {
  ...beanDocumentParameters,
  every: integer('Seconds between two reads for an event stream; 1 by default.', 1, 3600, 1),
};

/** For a bean as JSON, or as an event stream. */
export const beanParameters = {
  ...beanXmlParameters,
  glance: flag('Whether to add the readings of the bean, as `{ glance, bean }`; in JSON only.'),
};

export const listParameters = {
  ...documentParameters,
  find: text('A text to search for in all beans that exist; masked values are not searched.', 200),
  q: text('Filters the list by name.'),
  inside: flag('Whether to search inside of beans for q, like find.'),
};

export const graphParameters = {
  owner: {
    description: 'The owners whose beans to show; all by default.',
    schema: { type: 'string' },
    fallback: [],
    isList: true,
  } satisfies Parameter<readonly string[]>,
};

export const comparisonParameters = {
  from: text('The id or the name of a snapshot.'),
  to: text('Another snapshot; the current beans by default.'),
  bean: text('The one bean to compare.'),
  kind: choice('Only changes of this kind.', ['changed', 'added', 'removed']),
  always: flag('Whether to include values that always change.'),
};

export const patchParameters = {
  from: required(comparisonParameters.from),
  to: comparisonParameters.to,
  bean: comparisonParameters.bean,
};

/** For a new snapshot. */
export const snapshotParameters = {
  name: text('What to call the snapshot.', 60),
  bean: text('The one bean to keep; all by default.'),
  wait: integer('How many milliseconds to wait before the second look; what moves meanwhile is left out.', 0, 5000),
};

const valueParameters = {
  bean: text('The bean that has the value.'),
  at: { ...at, description: 'The JSON Pointer (RFC 6901) of the value.' },
  reading: text('The name of the reading, instead of at.'),
};

/** For recorded values. */
export const watchParameters = {
  ...valueParameters,
  range: choice('How far to look back; 5m by default.', ['5m', '1h', '24h']),
};

/** For starting and ending a recording. */
export const changeParameters = {
  ...valueParameters,
  bean: required(valueParameters.bean),
  over: threshold('Report when the value is above this.'),
  under: threshold('Report when the value is below this.'),
  action: choice('What to do; watch by default.', ['watch', 'remove']),
  back: text('The page to return to.'),
};

/** For a POST to a bean. */
export const askParameters = {
  ask: { ...text('The reading to fetch, such as one from a server, instead of creating the bean.'), empty: '' },
};

export type Parameters = Readonly<Record<string, Parameter>>;

export type ParameterValues<Table extends Parameters> = {
  readonly [Name in keyof Table]: Table[Name] extends Parameter<infer Value> ? Value : never;
};

/** The query of a URL. */
export const queryOf = (url: string) => new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');

/** Unknown parameters are ignored; the result lacks those without a value. */
export function parseQuery<Table extends Parameters>(
  url: string | URLSearchParams,
  parameters: Table,
  bounds: Bounds,
): ParameterValues<Table> {
  const query = typeof url === 'string' ? queryOf(url) : url;
  const values: Record<string, unknown> = {};
  for (const name in parameters) {
    const parameter = parameters[name] as Parameter;
    const texts = query.getAll(name);
    const value = parameter.isList ? texts : parseValue(texts, name, parameter, bounds);
    if (value !== undefined) values[name] = value;
  }
  return values as ParameterValues<Table>;
}

function parseValue(texts: readonly string[], name: string, parameter: Parameter, bounds: Bounds): unknown {
  const [given] = texts;
  if (texts.length > 1) throw new BeanProblem(400, `The parameter ${name} can be given only once.`);
  if (given === '' && 'empty' in parameter) return parameter.empty;
  if (!given && parameter.isRequired) throw new BeanProblem(400, `The parameter ${name} is missing.`);
  if (!given) return parameter.fallback;
  const schema = schemaOf(name, parameter, bounds);
  const value = parseText(given, schema);
  const expected = expectation(value, schema);
  if (expected !== undefined) throw new BeanProblem(400, `${name} must be ${expected}.`);
  return value;
}

/** The schema with the configured maximum of `depth` and `limit`. */
function schemaOf(name: string, { schema }: Parameter, bounds: Bounds): ValueSchema {
  const { [name]: maximum }: Readonly<Record<string, number>> = largestCounts(bounds);
  return schema.type === 'integer' && maximum !== undefined ? { ...schema, maximum } : schema;
}

const flagTexts: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false };
const decimal = /^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?$/i;

/** Undefined if the text is not a value of the type. */
function parseText(given: string, { type }: ValueSchema): unknown {
  if (type === 'string') return given;
  if (type === 'boolean') return Object.hasOwn(flagTexts, given) ? flagTexts[given] : undefined;
  return (type === 'integer' ? /^\d{1,16}$/ : decimal).test(given) ? Number(given) : undefined;
}

/** For `/openapi.json`. */
export const describeParameters = (parameters: Parameters, bounds: Bounds): readonly object[] =>
  Object.entries(parameters).map(([name, parameter]) => {
    const { description, isRequired = false, isList = false } = parameter;
    const typed = schemaOf(name, parameter, bounds);
    const otherTexts = { type: 'string', enum: typed.type === 'boolean' ? ['', '0', '1'] : [''] };
    const hasOtherTexts = typed.type !== 'string' || typed.enum !== undefined;
    const schema = isRequired ? { ...typed, minLength: 1 } : hasOtherTexts ? { anyOf: [typed, otherTexts] } : typed;
    return {
      name,
      in: 'query',
      required: isRequired,
      description,
      schema: isList ? { type: 'array', items: schema } : schema,
      allowEmptyValue: !isRequired,
    };
  });

/** Equal for streams of the same document, whatever their interval. */
export const streamKey = ({ every: _every, ...asked }: { readonly every?: unknown }): string => JSON.stringify(asked);
