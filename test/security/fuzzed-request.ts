import fc from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';
import type { Schema } from './described-request.ts';

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

export interface FuzzedRequest {
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly operation: DescribedOperation;
  /** Whether it is no longer the request that the operation describes, so that it may be refused before it gets there. */
  readonly isBroken: boolean;
}

export function operationsOf({ paths }: OpenApi): readonly DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

const awkward = fc.constantFrom(
  '',
  '.',
  '..',
  '/',
  '//',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '-1',
  '0',
  '1e999',
  '%',
  '%zz',
  '%00',
  '%ff',
  '%c0%ae',
  '\u{1f600}',
  '\ud800',
  '<script>',
  "' OR 1=1",
  '../../etc/passwd',
  '$'.concat('{x}'),
  '{{x}}',
  'a'.repeat(3000),
);

/** Texts that exist, so that not every request ends at the first door. */
const known = fc.constantFrom(
  'process',
  'configuration',
  'zones',
  'locales',
  'session',
  'sessions',
  'server',
  'messages',
  'assets',
  'addOns',
  'clock',
  'en-US',
  'de',
  'ar-EG',
  'Asia/Kolkata',
  'GMT+05:30',
  'jquery',
  'bootstrap',
  'true',
  '1',
  '/memory',
  '/0/id',
  'gzip, br;q=0.5',
);

const anyText = fc.oneof(
  { weight: 3, arbitrary: known },
  { weight: 2, arbitrary: awkward },
  { weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 40 }) },
);

/** As bytes that may stand in the first line: escaped, or not where that makes it interesting. */
const anySegment = fc.tuple(anyText, fc.boolean()).map(([text, isRaw]) => {
  const escaped = encodeURIComponent(Buffer.from(text).toString());
  return isRaw && /^[!-~]*$/.test(text) ? text.replaceAll('#', '%23') : escaped;
});

const isHeaderText = (text: string) => /^[\t -~]*$/.test(text);
const anyHeaderText = anyText.filter(isHeaderText);

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
    'user-agent',
    'expect',
    'te',
    'x-http-method-override',
  ),
  fc.oneof(
    anyHeaderText,
    fc.constantFrom(
      'text/html',
      'application/xml',
      '*/*;q=0',
      'identity;q=0',
      'clock-zone=Asia%2FKolkata',
      'jig-session=x.y',
    ),
  ),
  { maxKeys: 4 },
);

const anyForm = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom('languageTag', 'zoneID'), anySegment), anySegment), { maxLength: 6 })
  .map((fields) => fields.map(([name, value]) => `${name}=${value}`).join('&'));

const anyBody = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('application/x-www-form-urlencoded'), text: anyForm }) },
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

/** A query of the parameters that are described, each with a value of its type, of another, or none. */
function anyQuery({ parameters = [] }: DescribedOperation): fc.Arbitrary<string> {
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const name = names.length > 0 ? fc.constantFrom(...names) : anySegment;
  const value = fc.oneof(
    anySegment,
    fc.integer().map(String),
    fc.constantFrom('', 'true', 'false', '/', '/a~1b', '~2'),
  );
  return fc
    .array(fc.tuple(fc.oneof({ weight: 6, arbitrary: name }, { weight: 1, arbitrary: anySegment }), value), {
      maxLength: 4,
    })
    .map((entries) => (entries.length === 0 ? '' : `?${entries.map(([key, text]) => `${key}=${text}`).join('&')}`));
}

function requestOf(operation: DescribedOperation): fc.Arbitrary<FuzzedRequest> {
  const holes = operation.path.match(/\{\w+\}/g) ?? [];
  const parts = {
    segments: fc.tuple(...holes.map(() => anySegment)),
    query: anyQuery(operation),
    headers: anyHeaders,
    body: fc.option(anyBody, { nil: undefined, freq: operation.requestBody === undefined ? 4 : 10 }),
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constant(undefined) },
      fc.constantFrom('PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'),
    ),
  };
  return fc.record(parts).map(({ segments, query, headers, body, method }) => {
    const path = segments.reduce<string>((text, segment) => text.replace(/\{\w+\}/, () => segment), operation.path);
    // A path that begins with two slashes is still one of ours; the first line takes only what is printable.
    const target = (path + query).replace(/[^!-~]/g, (character) => encodeURIComponent(character));
    const content = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body.text)) };
    const type = body?.type ? { 'content-type': body.type } : {};
    const text = body?.text ?? '';
    return {
      line: `${method ?? operation.method} ${target}`,
      headers: { ...headers, ...type, ...content },
      body: text,
      operation,
      isBroken:
        method !== undefined ||
        body !== undefined ||
        holes.length > 0 ||
        query !== '' ||
        // Nothing in a description can say what a client may expect.
        headers.expect !== undefined,
    };
  });
}

/** Any operation, with parameters, headers and bodies that are right, almost right, or nothing of the kind. */
export const anyRequest = (operations: readonly DescribedOperation[]): fc.Arbitrary<FuzzedRequest> =>
  fc.constantFrom(...operations).chain(requestOf);
