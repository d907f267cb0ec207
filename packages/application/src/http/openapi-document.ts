import type { FastifyPluginAsync } from 'fastify';
import { type ApiOperation, problemResponse, problemSchema } from './api-operation.ts';
import { SharedSchemas } from './json-schemas.ts';
import type { ApiPaths, RouteSchemas } from './route-schemas.ts';

export interface ApiInfo {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  /** An SPDX identifier. */
  readonly licence: string | undefined;
}

/** What the `security` of an operation can name. */
const securitySchemes = { bearer: { type: 'http', scheme: 'bearer' }, basic: { type: 'http', scheme: 'basic' } };

/** Every GET has its HEAD, with the same headers and no body. */
function withHead(paths: ApiPaths): ApiPaths {
  const entries = Object.entries(paths).map(([path, { get, ...others }]) => [
    path,
    get === undefined ? others : { get, head: headOf(get), ...others },
  ]);
  return Object.fromEntries(entries);
}

function headOf(get: ApiOperation): ApiOperation {
  const { requestBody: _, operationId, responses = {}, ...same } = get;
  const statuses = Object.keys(responses).map((status) => [status, { description: 'As GET, without the body.' }]);
  return { ...same, operationId: `${operationId}Head`, responses: Object.fromEntries(statuses) };
}

/** The OpenAPI document of an application: what the schemas of its routes say. */
export function openApiDocument({ licence, ...info }: ApiInfo, routeSchemas: RouteSchemas): object {
  const license = licence === undefined ? {} : { license: { name: licence, identifier: licence } };
  const shared = new SharedSchemas({ Problem: problemSchema });
  const paths = routeSchemas.describe(shared, problemResponse('The request is not as described.'));
  return {
    openapi: '3.1.0',
    info: { ...info, ...license },
    paths: withHead(paths),
    components: { schemas: shared.all, securitySchemes },
  };
}

/** `GET /openapi.json`. */
export const apiRoute =
  (info: ApiInfo, routeSchemas: RouteSchemas): FastifyPluginAsync =>
  async (server) => {
    server.get('/openapi.json', { schema: apiSchema }, async (_request, reply) => {
      reply.header('cache-control', 'no-cache').type('application/json');
      return reply.send(Buffer.from(JSON.stringify(openApiDocument(info, routeSchemas))));
    });
  };

const apiSchema = {
  operationId: 'apiDescription',
  summary: 'This description.',
  responses: { 200: { description: 'OpenAPI 3.1.', content: { 'application/json': { schema: { type: 'object' } } } } },
};
