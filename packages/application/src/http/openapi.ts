import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { type ProblemForm, problemTypes } from '@jig/http/problem';
import { type FastifyInstance, type FastifyPluginAsync, type FastifySchema, fastify, type RouteOptions } from 'fastify';

// `@fastify/swagger` itself declares `hide`, `summary`, `tags` and the like.
declare module 'fastify' {
  interface FastifySchema {
    // As in OpenAPI: for what a route validates itself.
    parameters?: readonly object[];
    requestBody?: object;
    responses?: Readonly<Record<string, object>>;
    /** The path in OpenAPI if it is more specific than that of the route: `/bean/{name}.json` for `/bean/*`. */
    path?: string;
  }
}

/** A problem document (RFC 9457) as JSON Schema. */
const problemSchema = {
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

export interface ApiInfo {
  readonly title: string;
  readonly description: string;
  readonly version: string;
}

/** The schemas by which Fastify validates and serializes. */
const schemaKeys = ['body', 'querystring', 'params', 'headers', 'response'] as const;

type Paths = Record<string, Record<string, { readonly responses?: object }>>;

/** Records the routes and shared schemas of a server, and describes them on request. */
export class ApiDescription {
  readonly #info: ApiInfo;
  readonly #routes: RouteOptions[] = [];
  readonly #instances: FastifyInstance[] = [];
  #document: Promise<object> | undefined;

  constructor(info: ApiInfo) {
    this.#info = info;
  }

  /** Records every route that is registered from here on. */
  watch(server: FastifyInstance): void {
    this.#instances.push(server);
    server.addHook('onRegister', (instance) => void this.#instances.push(instance));
    server.addHook('onRoute', (route) => void this.#routes.push(route));
  }

  /** All routes that have a schema, as OpenAPI. */
  read(): Promise<object> {
    this.#document ??= this.#describe();
    return this.#document;
  }

  /** Uses `@fastify/swagger`, imported on first use. It describes the routes of its own server, which is one that never listens. */
  async #describe(): Promise<object> {
    const { default: swagger } = await import('@fastify/swagger');
    const server = fastify();
    await server.register(swagger, swaggerOptions(this.#info));
    const shared: Record<string, unknown> = Object.assign({}, ...this.#instances.map((each) => each.getSchemas()));
    for (const schema of Object.values(shared)) server.addSchema(schema);
    const describedByRoute: { readonly schema: FastifySchema; readonly path: string; readonly method: string }[] = [];
    for (const { schema, url, method: methods, config } of this.#routes) {
      for (const method of [methods].flat()) {
        if (schema === undefined || schema.hide === true || method === 'HEAD') continue;
        const { responses, path = url.replace(/:(\w+)/g, '{$1}') } = schema;
        if (responses !== undefined) describedByRoute.push({ schema, path, method: method.toLowerCase() });
        if (responses !== undefined && !schemaKeys.some((key) => key in schema)) continue;
        if (server.supportedMethods.includes(method) && !server.hasRoute({ method, url }))
          server.route({ schema, url, method, ...(config && { config }), ...withoutCompiling });
      }
    }
    await server.ready();
    const document = server.swagger() as { paths: Paths };
    for (const { schema, path, method } of describedByRoute) {
      const { path: _path, ...terms } = schema;
      const operation = document.paths[path]?.[method] ?? terms;
      const responses = { ...operation.responses, ...schema.responses };
      document.paths[path] = { ...document.paths[path], [method]: { ...operation, responses } };
    }
    return document;
  }
}

const withoutCompiling = {
  handler: () => {},
  exposeHeadRoute: false,
  validatorCompiler: () => () => true,
  serializerCompiler: () => String,
};

const swaggerOptions = (info: ApiInfo): FastifyDynamicSwaggerOptions => ({
  openapi: {
    openapi: '3.1.0',
    info,
    components: {
      schemas: { Problem: problemSchema as object },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' }, basic: { type: 'http', scheme: 'basic' } },
    },
  },
  refResolver: {
    buildLocalReference: ({ $id }, _base, _fragment, index) => (typeof $id === 'string' ? $id : `def-${index}`),
  },
  transform: ({ schema, url }) => ({ schema: withJsonSchemas(schema), url }),
});

/** Implemented by zod, Valibot and ArkType: https://standardschema.dev/json-schema */
interface StandardJsonSchema {
  readonly '~standard'?: { readonly jsonSchema?: { input(options: object): object } };
}

function toJsonSchema(value: unknown): unknown {
  try {
    return (value as StandardJsonSchema)['~standard']?.jsonSchema?.input({ target: 'draft-2020-12' }) ?? value;
  } catch {
    return {};
  }
}

const toJsonSchemas = (schemas: object) =>
  Object.fromEntries(Object.entries(schemas).map(([name, each]) => [name, toJsonSchema(each)]));

/** The schemas of a route as plain JSON Schema. */
const withJsonSchemas = (schema: FastifySchema): FastifySchema => ({
  ...toJsonSchemas(schema),
  ...(schema.response ? { response: toJsonSchemas(schema.response) } : {}),
});

export const apiRoute =
  (api: ApiDescription): FastifyPluginAsync =>
  async (server) => {
    server.get('/openapi.json', { schema: apiSchema }, async (_request, reply) => {
      reply.header('cache-control', 'no-cache').type('application/json');
      return reply.send(Buffer.from(JSON.stringify(await api.read())));
    });
  };

const apiSchema = {
  operationId: 'apiDescription',
  summary: 'This description.',
  responses: { 200: { description: 'OpenAPI 3.1.', content: { 'application/json': { schema: { type: 'object' } } } } },
};
