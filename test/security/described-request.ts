import fc from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';
import type { DescribedOperation } from './fuzzed-request.ts';

/** As much of JSON Schema as our descriptions use. */
export interface Schema {
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

/** A request that is just as the description says, or is not in one thing. */
export interface DescribedRequest {
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly operation: DescribedOperation;
  /** What the description forbids in it. */
  readonly forbidden?: string;
}

const boundsOf = ({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: Schema) => ({
  minimum,
  maximum,
});

const formType = 'application/x-www-form-urlencoded';

export const takesForm = ({ content }: NonNullable<DescribedOperation['requestBody']>) => formType in content;

/** Whether a text, as it stands in an address, is a value that the schema allows. */
export function allows(schema: Schema, text: string): boolean {
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

const anyText = fc.oneof(
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
  return anyText.filter((text) => allows(schema, text));
}

/** Nothing, where every text is allowed. */
function forbiddenText(schema: Schema): fc.Arbitrary<string> | undefined {
  if (schema.items !== undefined) return forbiddenText(schema.items);
  if (schema.type === 'string' && schema.pattern === undefined && schema.enum === undefined) return undefined;
  if (schema.type === 'number') return anyText.filter((text) => !allows(schema, text));
  const { minimum, maximum } = boundsOf(schema);
  const beyond = fc.constantFrom(String(BigInt(minimum) - 1n), String(BigInt(maximum) + 1n));
  return fc.oneof(anyText, beyond).filter((text) => !allows(schema, text));
}

const inAddress = (text: string) => encodeURIComponent(Buffer.from(text).toString());
const query = (values: Readonly<Record<string, string | undefined>>) => {
  const given = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return given.map(([name = '', value = '']) => `${inAddress(name)}=${inAddress(value)}`).join('&');
};

/** The path with names for what is in braces. */
function pathOf({ path }: DescribedOperation, name: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const holes = path.match(/\{\w+\}/g) ?? [];
  return fc
    .tuple(...holes.map(() => name))
    .map((names) => names.reduce((text, one) => text.replace(/\{\w+\}/, () => inAddress(one)), path));
}

function allowedForm(schema: Schema): fc.Arbitrary<string> {
  const { properties = {}, additionalProperties, maxProperties = 20 } = schema;
  const known = Object.entries(properties).map(([name, one]) => [
    name,
    fc.option(allowedText(one), { nil: undefined }),
  ]);
  const others = fc.dictionary(anyText, additionalProperties ? allowedText(additionalProperties) : anyText, {
    maxKeys: additionalProperties === undefined ? 0 : Math.min(20, maxProperties - known.length),
  });
  return fc
    .tuple(fc.record(Object.fromEntries(known) as Record<string, fc.Arbitrary<string | undefined>>), others)
    .map(([fields, more]) => query({ ...more, ...fields }));
}

function partsOf(operation: DescribedOperation, name: fc.Arbitrary<string>) {
  const { parameters = [], requestBody } = operation;
  // There is one instance, so that each request that names another is answered that there is none.
  const named = (place: string) => parameters.filter((each) => each.in === place && each.name !== 'instance');
  const values = (place: string) =>
    fc.record(
      Object.fromEntries(
        named(place).map(({ name, schema, required }) => [
          name,
          required === true ? allowedText(schema) : fc.option(allowedText(schema), { nil: undefined }),
        ]),
      ),
    );
  const form = requestBody?.content[formType]?.schema;
  return {
    path: pathOf(operation, name),
    query: values('query'),
    // Only what can stand in a header.
    headers: values('header').map((all) =>
      Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && /^[!-~]+$/.test(value))),
    ) as fc.Arbitrary<Record<string, string>>,
    body: form === undefined ? fc.constant(undefined) : fc.option(allowedForm(form), { nil: undefined }),
  };
}

const target = (path: string, values: Readonly<Record<string, string | undefined>>) => {
  const text = query(values);
  return text === '' ? path : `${path}?${text}`;
};

const bodyHeaders = (body: string | undefined, type = formType): Record<string, string> =>
  body === undefined
    ? { 'content-length': '0' }
    : { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) };

/** A request of which the description allows everything. */
export function allowedRequest(
  operation: DescribedOperation,
  beans: readonly string[],
): fc.Arbitrary<DescribedRequest> {
  // Now and then a name that does not exist.
  const name = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...beans) }, anyText.filter(Boolean));
  return fc.record(partsOf(operation, name)).map(({ path, query: values, headers, body }) => ({
    line: `${operation.method} ${target(path, values)}`,
    headers: { ...headers, ...(operation.method === 'POST' ? bodyHeaders(body) : {}) },
    body: body ?? '',
    operation,
  }));
}

/** Requests of which the description forbids one thing; none, where it forbids nothing. */
export function forbiddenRequests(
  operation: DescribedOperation,
  beans: readonly string[],
): readonly fc.Arbitrary<DescribedRequest>[] {
  const parts = partsOf(operation, fc.constantFrom(...beans));
  const wrongValues = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name, schema }) => {
      const wrong = forbiddenText(schema);
      if (wrong === undefined) return [];
      return fc.record({ ...parts, wrong }).map(({ path, query: values, headers, wrong: value }) => ({
        line: `${operation.method} ${target(path, { ...values, [name]: value })}`,
        headers,
        body: '',
        operation,
        forbidden: `${name}=${value}`,
      }));
    });
  const form = operation.requestBody?.content[formType]?.schema;
  if (form === undefined) return wrongValues;
  const { maxProperties } = form;
  const tooMany = Array.from({ length: (maxProperties ?? 0) + 1 }, (_, index) => `f${index}=`).join('&');
  const takesJson = operation.requestBody?.content['application/json'] !== undefined;
  const wrongBodies = fc.constantFrom(
    ...(maxProperties === undefined
      ? []
      : [{ forbidden: 'more fields than maxProperties', body: tooMany, type: formType }]),
    ...(takesJson ? [] : [{ forbidden: 'another type', body: '{"zoneID":"GMT"}', type: 'application/json' }]),
    { forbidden: 'another type', body: 'zoneID=GMT', type: 'text/plain' },
  );
  return [
    ...wrongValues,
    fc.record({ path: parts.path, wrong: wrongBodies }).map(({ path, wrong: { forbidden, body, type } }) => ({
      line: `${operation.method} ${path}`,
      headers: bodyHeaders(body, type),
      body,
      operation,
      forbidden,
    })),
  ];
}
