import fc from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';

/** As much of JSON Schema as our descriptions use. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxProperties?: number;
  readonly anyOf?: readonly Schema[];
  /** Of a parameter that can be given several times. */
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, object>> }>>;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface DescribedOperation extends Operation {
  readonly method: string;
  readonly path: string;
}

export interface MadeRequest {
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly operation: DescribedOperation;
  /** Whether it may be no longer the request that the operation describes, so that it may be refused before it gets there. */
  readonly isBroken?: boolean;
  /** What the description forbids in it. */
  readonly forbidden?: string;
}

export const operationsOf = ({ paths }: OpenApi): readonly DescribedOperation[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );

const formType = 'application/x-www-form-urlencoded';

export const formOf = ({ requestBody }: Operation): Schema | undefined => requestBody?.content[formType]?.schema;

type Values = Readonly<Record<string, string | undefined>>;

const inAddress = (text: string) => encodeURIComponent(Buffer.from(text).toString());

function encoded(values: Values): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return given.map(([name, value = '']) => `${inAddress(name)}=${inAddress(value)}`).join('&');
}

const holesOf = ({ path }: DescribedOperation) => path.match(/\{\w+\}/g) ?? [];

/** The first line, with segments for what is in braces. */
function lineOf({ method, path }: DescribedOperation, segments: readonly string[], query: string): string {
  const filled = segments.reduce((text, segment) => text.replace(/\{\w+\}/, () => segment), path);
  return `${method} ${filled}${query === '' ? '' : `?${query}`}`;
}

const bodyHeaders = (body: string, type = formType): Record<string, string> => ({
  ...(type === '' ? {} : { 'content-type': type }),
  'content-length': String(Buffer.byteLength(body)),
});

const boundsOf = ({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: Schema) => ({
  minimum,
  maximum,
});

/** Whether a text, as it stands in an address, is a value that the schema allows. */
function allows(schema: Schema, text: string): boolean {
  const { type, anyOf, items, enum: choices, pattern, minLength = 0 } = schema;
  if (items !== undefined) return allows(items, text);
  if (anyOf !== undefined) return anyOf.some((one) => allows(one, text));
  if (choices !== undefined) return choices.includes(text);
  if (type === 'boolean') return text === 'true' || text === 'false';
  const { minimum, maximum } = boundsOf(schema);
  if (type === 'number') return /^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,2})?$/.test(text);
  if (type === 'integer') return /^\d+$/.test(text) && BigInt(text) >= minimum && BigInt(text) <= maximum;
  if (type !== 'string') throw new Error(`The test does not know the schema ${JSON.stringify(schema)}`);
  return text.length >= minLength && (pattern === undefined || new RegExp(pattern, 'u').test(text));
}

const anyValue = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.constantFrom('', '/', '~', '/~', '/a~2', 'a/b', '1', '0', '-1', '1.5', '1e3', 'TRUE', 'yes', 'null', '٣', ' '),
);

function allowedText(schema: Schema): fc.Arbitrary<string> {
  const { type, anyOf, items, enum: choices, pattern } = schema;
  if (items !== undefined) return allowedText(items);
  const { minimum, maximum } = boundsOf(schema);
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(allowedText));
  if (choices !== undefined) return fc.constantFrom(...choices);
  if (type === 'boolean') return fc.constantFrom('true', 'false');
  if (type === 'number') return fc.float({ noNaN: true, noDefaultInfinity: true }).map(String);
  if (type === 'integer')
    return fc.oneof(fc.constantFrom(minimum, maximum), fc.integer({ min: minimum, max: maximum })).map(String);
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' });
  return anyValue.filter((text) => allows(schema, text));
}

/** Nothing, where every text is allowed. */
function forbiddenText(schema: Schema): fc.Arbitrary<string> | undefined {
  if (schema.items !== undefined) return forbiddenText(schema.items);
  if (schema.type === 'string' && schema.pattern === undefined && schema.enum === undefined) return undefined;
  if (schema.type === 'number') return anyValue.filter((text) => !allows(schema, text));
  const { minimum, maximum } = boundsOf(schema);
  const beyond = fc.constantFrom(String(BigInt(minimum) - 1n), String(BigInt(maximum) + 1n));
  return fc.oneof(anyValue, beyond).filter((text) => !allows(schema, text));
}

function allowedForm({ properties = {}, additionalProperties, maxProperties = 20 }: Schema): fc.Arbitrary<string> {
  const known = Object.entries(properties).map(
    ([name, one]) => [name, fc.option(allowedText(one), { nil: undefined })] as const,
  );
  const others = fc.dictionary(anyValue, additionalProperties ? allowedText(additionalProperties) : anyValue, {
    maxKeys: additionalProperties === undefined ? 0 : Math.min(20, maxProperties - known.length),
  });
  return fc
    .tuple(others, fc.record<Values>(Object.fromEntries(known)))
    .map(([more, fields]) => encoded({ ...more, ...fields }));
}

/** Path, query and headers of which the description allows everything. */
function allowedParts(operation: DescribedOperation, name: fc.Arbitrary<string>) {
  // There is one instance, so that each request that names another is answered that there is none.
  const described = (operation.parameters ?? []).filter((each) => each.name !== 'instance');
  const valuesIn = (place: string): fc.Arbitrary<Values> => {
    const entries = described
      .filter((each) => each.in === place)
      .map(({ name: key, schema, required }) => {
        const text = allowedText(schema);
        return [key, required === true ? text : fc.option(text, { nil: undefined })] as const;
      });
    return fc.record<Values>(Object.fromEntries(entries));
  };
  return {
    segments: fc.tuple(...holesOf(operation).map(() => name.map(inAddress))),
    values: valuesIn('query'),
    // Only what can stand in a header.
    headers: valuesIn('header').map((all) =>
      Object.fromEntries(
        Object.entries(all).flatMap(([key, value]) => (/^[!-~]+$/.test(value ?? '') ? [[key, value ?? '']] : [])),
      ),
    ),
  };
}

/** A request of which the description allows everything. */
export function allowedRequest(operation: DescribedOperation, beans: readonly string[]): fc.Arbitrary<MadeRequest> {
  // Now and then a name that does not exist.
  const name = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...beans) }, anyValue.filter(Boolean));
  const form = formOf(operation);
  const body = form === undefined ? fc.constant(undefined) : fc.option(allowedForm(form), { nil: undefined });
  return fc.record({ ...allowedParts(operation, name), body }).map(({ segments, values, headers, body: text }) => {
    const content = text === undefined ? { 'content-length': '0' } : bodyHeaders(text);
    return {
      line: lineOf(operation, segments, encoded(values)),
      headers: operation.method === 'POST' ? { ...headers, ...content } : headers,
      body: text ?? '',
      operation,
    };
  });
}

/** Requests of which the description forbids one thing; none, where it forbids nothing. */
export function forbiddenRequests(
  operation: DescribedOperation,
  beans: readonly string[],
): readonly fc.Arbitrary<MadeRequest>[] {
  const parts = allowedParts(operation, fc.constantFrom(...beans));
  const wrongValues = (operation.parameters ?? []).flatMap(({ name, in: place, schema }) => {
    const wrong = place === 'query' ? forbiddenText(schema) : undefined;
    if (wrong === undefined) return [];
    return fc.record({ ...parts, wrong }).map(({ segments, values, headers, wrong: value }) => ({
      line: lineOf(operation, segments, encoded({ ...values, [name]: value })),
      headers,
      body: '',
      operation,
      forbidden: `${name}=${value}`,
    }));
  });
  const form = formOf(operation);
  if (form === undefined) return wrongValues;
  const tooMany = Array.from({ length: (form.maxProperties ?? 0) + 1 }, (_, index) => `f${index}=`).join('&');
  const wrongBodies = [
    { forbidden: 'more fields than maxProperties', body: tooMany, type: formType },
    { forbidden: 'another type', body: '{"zoneID":"GMT"}', type: 'application/json' },
    { forbidden: 'another type', body: 'zoneID=GMT', type: 'text/plain' },
  ].filter(({ type }) =>
    type === formType ? form.maxProperties !== undefined : operation.requestBody?.content[type] === undefined,
  );
  const withWrongBody = fc
    .record({ segments: parts.segments, wrong: fc.constantFrom(...wrongBodies) })
    .map(({ segments, wrong: { forbidden, body, type } }) => ({
      line: lineOf(operation, segments, ''),
      headers: bodyHeaders(body, type),
      body,
      operation,
      forbidden,
    }));
  return [...wrongValues, withWrongBody];
}

const awkward = fc.constantFrom(
  '',
  '..',
  '//',
  '__proto__',
  'null',
  'NaN',
  '-1',
  '1e999',
  '%zz',
  '%00',
  '%c0%ae',
  '\u{1f600}',
  '\ud800',
  '<script>',
  "' OR 1=1",
  '../../etc/passwd',
  'a'.repeat(3000),
);

/** Texts that exist, so that not every request ends at the first door. */
const known = fc.constantFrom(
  'process',
  'configuration',
  'zones',
  'session',
  'server',
  'clock',
  'de',
  'Asia/Kolkata',
  'jquery',
  'true',
  '1',
  '/memory',
  'gzip, br;q=0.5',
);

const anyText = fc.oneof(
  { weight: 3, arbitrary: known },
  { weight: 2, arbitrary: awkward },
  { weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 40 }) },
);

/** As bytes that may stand in the first line: escaped, or not where that makes it interesting. */
const anySegment = fc
  .tuple(anyText, fc.boolean())
  .map(([text, isRaw]) => (isRaw && /^[!-~]*$/.test(text) ? text.replaceAll('#', '%23') : inAddress(text)));

const anyHeaders = fc.dictionary(
  fc.constantFrom(
    'accept',
    'accept-language',
    'accept-encoding',
    'cookie',
    'if-none-match',
    'range',
    'authorization',
    'x-forwarded-for',
    'expect',
    'x-http-method-override',
  ),
  fc.oneof(
    anyText.filter((text) => /^[\t -~]*$/.test(text)),
    fc.constantFrom('text/html', 'application/xml', '*/*;q=0', 'identity;q=0', 'clock-zone=GMT', 'jig-session=x.y'),
  ),
  { maxKeys: 4 },
);

const pairs = (name: fc.Arbitrary<string>, value: fc.Arbitrary<string>) =>
  fc.array(fc.tuple(name, value), { maxLength: 5 }).map((all) => all.map((pair) => pair.join('=')).join('&'));

const anyBody = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant(formType),
      text: pairs(fc.oneof(fc.constantFrom('languageTag', 'zoneID'), anySegment), anySegment),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constantFrom('application/json', 'multipart/form-data; boundary=x', 'text/plain', 'rubbish', ''),
      text: fc.oneof(
        fc.json(),
        anyText.map((text) => Buffer.from(text).toString('latin1')),
      ),
    }),
  },
);

/** Any operation, with parameters, headers and bodies that are right, almost right, or nothing of the kind. */
export const anyRequest = (operations: readonly DescribedOperation[]): fc.Arbitrary<MadeRequest> =>
  fc.constantFrom(...operations).chain((operation) => {
    const names = (operation.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name);
    const name = names.length > 0 ? fc.constantFrom(...names) : anySegment;
    const value = fc.oneof(
      anySegment,
      fc.integer().map(String),
      fc.constantFrom('', 'true', 'false', '/', '/a~1b', '~2'),
    );
    const parts = {
      segments: fc.tuple(...holesOf(operation).map(() => anySegment)),
      query: pairs(fc.oneof({ weight: 6, arbitrary: name }, { weight: 1, arbitrary: anySegment }), value),
      headers: anyHeaders,
      body: fc.option(anyBody, { nil: undefined, freq: operation.requestBody === undefined ? 4 : 10 }),
      method: fc.oneof(
        { weight: 9, arbitrary: fc.constant(operation.method) },
        fc.constantFrom('PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'),
      ),
    };
    return fc.record(parts).map(({ segments, query, headers, body, method }) => ({
      // The first line takes only what is printable.
      line: lineOf({ ...operation, method }, segments, query).replace(/[^ -~]/g, (character) => inAddress(character)),
      headers: { ...headers, ...(body === undefined ? {} : bodyHeaders(body.text, body.type)) },
      body: body?.text ?? '',
      operation,
      // Nothing in a description can say what a client may expect.
      isBroken:
        method !== operation.method || body !== undefined || segments.length > 0 || query !== '' || 'expect' in headers,
    }));
  });
