import type { FastifyPluginAsync } from 'fastify';
import { type ApiDescription, type ApiOperation, problemResponse, problemSchema } from './api-description.ts';
import { SharedSchemas } from './json-schemas.ts';
import type { RouteSchemas } from './route-schemas.ts';

export interface ApiInfo {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  /** An SPDX identifier. */
  readonly licence: string | undefined;
}

/** What the `security` of an operation can name. */
const securitySchemes = { bearer: { type: 'http', scheme: 'bearer' }, basic: { type: 'http', scheme: 'basic' } };

/** What an operation in a description says replaces what the schema of its route says, member by member. */
function merge(descriptions: readonly ApiDescription[]): ApiDescription {
  const paths = new Map<string, Record<string, ApiOperation>>();
  for (const [path, operations] of descriptions.flatMap((each) => Object.entries(each))) {
    const merged = { ...paths.get(path) };
    for (const [method, operation] of Object.entries(operations)) merged[method] = combine(merged[method], operation);
    paths.set(path, merged);
  }
  return Object.fromEntries(paths);
}

function combine(fromSchema: ApiOperation | undefined, said: ApiOperation): ApiOperation {
  if (fromSchema === undefined) return said;
  return { ...fromSchema, ...said, responses: { ...fromSchema.responses, ...said.responses } };
}

/** Every GET has its HEAD, with the same headers and no body. */
function withHead(description: ApiDescription): ApiDescription {
  const entries = Object.entries(description).map(([path, { get, ...others }]) => {
    if (get === undefined) return [path, others] as const;
    const { requestBody: _, ...same } = get;
    const responses = Object.keys(get.responses ?? {}).map((status) => [
      status,
      { description: 'As GET, without the body.' },
    ]);
    const name = get.operationId === undefined ? {} : { operationId: `${get.operationId}Head` };
    const head = { ...same, ...name, responses: Object.fromEntries(responses) };
    return [path, { get, head, ...others }] as const;
  });
  return Object.fromEntries(entries);
}

/** The OpenAPI document of an application: what the schemas of its routes say, and what the host and the parts add. */
export function openApiDocument(
  { licence, ...info }: ApiInfo,
  parts: readonly ApiDescription[],
  routeSchemas: RouteSchemas,
): object {
  const license = licence === undefined ? {} : { license: { name: licence, identifier: licence } };
  const shared = new SharedSchemas({ Problem: problemSchema });
  const fromSchemas = routeSchemas.describe(shared, problemResponse('The request is not as described.'));
  return {
    openapi: '3.1.0',
    info: { ...info, ...license },
    paths: withHead(merge([fromSchemas, ...parts])),
    components: { schemas: shared.all, securitySchemes },
  };
}

/** `GET /openapi.json`. */
export const apiRoute =
  (info: ApiInfo, parts: () => readonly ApiDescription[], routeSchemas: RouteSchemas): FastifyPluginAsync =>
  async (server) => {
    server.get('/openapi.json', async (_request, reply) => {
      reply.header('cache-control', 'no-cache').type('application/json');
      return reply.send(Buffer.from(JSON.stringify(openApiDocument(info, parts(), routeSchemas))));
    });
  };
