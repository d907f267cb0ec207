import { type ProblemForm, problemTypes } from './problem.ts';

/** The endpoints of a part in terms of OpenAPI 3.1: paths to methods to operations. */
export type ApiDescription = Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;

/** One method of a path. Where its route has a schema, only what is not in the schema needs to be said. */
export interface ApiOperation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly parameters?: readonly object[];
  readonly requestBody?: object;
  readonly responses?: Readonly<Record<string, object>>;
  readonly security?: readonly object[];
}

declare module 'fastify' {
  /** What `/openapi.json` says of a route; the same members, of the same types, as with `@fastify/swagger`. */
  interface FastifySchema {
    hide?: boolean;
    deprecated?: boolean;
    tags?: readonly string[];
    description?: string;
    summary?: string;
    consumes?: readonly string[];
    produces?: readonly string[];
    security?: ReadonlyArray<{ [securityLabel: string]: readonly string[] }>;
    operationId?: string;
  }
}

/** A problem document (RFC 9457) as JSON Schema. */
export const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string' },
  },
  xml: { name: 'problem', namespace: 'urn:ietf:rfc:7807' },
};

/** A response with problem details, for use in a description: JSON or a page by default. */
export function problemResponse(description: string, forms: readonly ProblemForm[] = ['json', 'html']) {
  const document = { schema: { $ref: '#/components/schemas/Problem' } };
  const page = { schema: { type: 'string' } };
  const content = forms.map((form) => [problemTypes[form], form === 'html' ? page : document]);
  return { description, content: Object.fromEntries(content) };
}

/** The endpoints of the host, of which a part may have its own instead. */
export const hostDescriptions = (healthPath: string): Record<string, ApiDescription[string]> => ({
  '/': {
    get: {
      operationId: 'startPage',
      summary: 'What this is, and what there is to open.',
      responses: { 200: { description: 'A page.', content: { 'text/html': { schema: { type: 'string' } } } } },
    },
  },
  [healthPath]: {
    get: {
      operationId: 'health',
      summary: 'Whether the application can do its work (readiness), and how each of its parts is.',
      responses: {
        200: { description: 'Every part does its work.', content: { 'application/json': { schema: healthSchema() } } },
        503: { description: 'A part does not.', content: { 'application/json': { schema: healthSchema() } } },
      },
    },
  },
  [`${healthPath}/live`]: {
    get: {
      operationId: 'liveness',
      summary: 'Whether the process answers (liveness), whatever its parts do.',
      responses: {
        200: {
          description: 'It does.',
          content: {
            'application/json': {
              schema: { type: 'object', required: ['status'], properties: { status: { const: 'ok' } } },
            },
          },
        },
      },
    },
  },
  '/openapi.json': {
    get: {
      operationId: 'apiDescription',
      summary: 'This description.',
      responses: {
        200: { description: 'OpenAPI 3.1.', content: { 'application/json': { schema: { type: 'object' } } } },
      },
    },
  },
  '/assets/{library}/{version}/{file}': {
    get: {
      operationId: 'asset',
      summary: 'A file that pages link to.',
      parameters: [
        ...['library', 'version', 'file'].map((name) => ({
          name,
          in: 'path',
          required: true,
          schema: { type: 'string', minLength: 1 },
        })),
        { name: 'Accept-Encoding', in: 'header', description: 'br, gzip or identity.', schema: { type: 'string' } },
        { name: 'If-None-Match', in: 'header', description: 'Entity tags that you have.', schema: { type: 'string' } },
      ],
      responses: {
        200: {
          description: 'The file, to be kept for good.',
          headers: { ETag: { required: true, schema: { type: 'string' } } },
          content: { '*/*': { schema: { type: 'string' } } },
        },
        304: { description: 'You have it already.' },
        404: problemResponse('There is no such file.'),
        406: problemResponse('It is not to be had in a coding that you accept.'),
      },
    },
  },
});

function healthSchema(): object {
  return {
    type: 'object',
    required: ['status', 'parts'],
    properties: {
      status: { enum: ['ok', 'unavailable'] },
      parts: {
        type: 'object',
        additionalProperties: {
          type: 'object',
          required: ['ok', 'state'],
          properties: {
            ok: { type: 'boolean' },
            state: { type: 'string' },
            details: { type: 'object', description: 'Only for those who may see them.' },
          },
        },
      },
    },
  };
}

/** An operation that both describe, if there is one. */
export function sharedOperation(
  one: ApiDescription,
  other: ApiDescription,
): { readonly method: string; readonly path: string } | undefined {
  for (const [path, operations] of Object.entries(other)) {
    const method = Object.keys(operations).find((each) => Object.hasOwn(one[path] ?? {}, each));
    if (method !== undefined) return { method, path };
  }
  return undefined;
}
