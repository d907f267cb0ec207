import { type ProblemForm, problemTypes } from '@jig/http/problem';
import type { FastifySchema } from 'fastify';

declare module 'fastify' {
  /** What `/openapi.json` says of a route; as with `@fastify/swagger`, except for the last four. */
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
    // In terms of OpenAPI: they describe what a route checks itself, and replace what the schemas beside them say.
    parameters?: readonly object[];
    requestBody?: object;
    responses?: Readonly<Record<string, object>>;
    /** The path, where it says more than that of the route: `/assets/{library}/{file}` of `/assets/*`. */
    path?: string;
  }
}

/** What `/openapi.json` says of one method of a path. */
export type ApiOperation = Omit<FastifySchema, 'body' | 'querystring' | 'params' | 'headers' | 'response' | 'path'>;

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

/** A response with problem details, for the `responses` of a route's schema: JSON or a page by default. */
export function problemResponse(description: string, forms: readonly ProblemForm[] = ['json', 'html']) {
  const document = { schema: { $ref: '#/components/schemas/Problem' } };
  const page = { schema: { type: 'string' } };
  const content = forms.map((form) => [problemTypes[form], form === 'html' ? page : document]);
  return { description, content: Object.fromEntries(content) };
}
