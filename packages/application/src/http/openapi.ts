import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { type ProblemForm, problemTypes } from '@jig/http/problem';
import { type FastifyInstance, type FastifyPluginAsync, type FastifySchema, fastify, type RouteOptions } from 'fastify';

// `@fastify/swagger` itself declares `hide`, `summary`, `tags` and the like.
declare module 'fastify' {
  interface FastifySchema {
    // In terms of OpenAPI: they describe what a route checks itself.
    parameters?: readonly object[];
    requestBody?: object;
    responses?: Readonly<Record<string, object>>;
    /** The path, where it says more than that of the route: `/bean/{name}.json` of `/bean/*`. */
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

interface Operation {
  readonly responses?: object | undefined;
}

type Paths = Record<string, Record<string, Operation>>;

/** The schemas by which Fastify validates and serializes. */
const schemaKeys = ['body', 'querystring', 'params', 'headers', 'response'] as const;

/** Records the routes and shared schemas of a server, and describes them when somebody asks. */
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

  /** By `@fastify/swagger`, loaded only now. It describes the routes of the server it is registered with: one that never listens. */
  async #describe(): Promise<object> {
    const { default: swagger } = await import('@fastify/swagger');
    const server = fastify();
    await server.register(swagger, swaggerOptions(this.#info));
    const schemas: Record<string, unknown> = Object.assign({}, ...this.#instances.map((each) => each.getSchemas()));
    for (const schema of Object.values(schemas)) server.addSchema(schema);
    for (const { schema, url, method: methods, config } of this.#routes) {
      for (const method of [methods].flat()) {
        const isDescribed = schema !== undefined && server.supportedMethods.includes(method);
        if (!isDescribed || server.hasRoute({ method, url })) continue;
        server.route({ schema, url, method, ...(config && { config }), ...withoutCompiling });
      }
    }
    await server.ready();
    return server.swagger();
  }
}

const withoutCompiling = {
  handler: () => {},
  exposeHeadRoute: false,
  validatorCompiler: () => () => true,
  serializerCompiler: () => String,
};

function swaggerOptions(info: ApiInfo): FastifyDynamicSwaggerOptions {
  /** What routes say in terms of OpenAPI. */
  const own: Paths = {};
  return {
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
    transform: ({ schema, url, route }) => {
      const { parameters, requestBody, responses, path = url.replace(/:(\w+)/g, '{$1}'), ...plain } = schema;
      const isChecked = schemaKeys.some((key) => key in schema);
      const terms = isChecked ? { responses } : { ...plain, parameters, requestBody, responses };
      const isOwn = responses !== undefined && schema.hide !== true;
      if (isOwn) own[path] = { ...own[path], [String(route.method).toLowerCase()]: terms };
      return { schema: isOwn && !isChecked ? { hide: true } : plainSchema(plain), url };
    },
    transformObject: (document) => {
      if (!('openapiObject' in document)) return {};
      const paths = document.openapiObject.paths as Paths;
      for (const [path, operations] of Object.entries(own)) {
        const described = { ...paths[path] };
        for (const [method, operation] of Object.entries(operations)) {
          const responses = { ...described[method]?.responses, ...operation.responses };
          described[method] = { ...described[method], ...operation, responses };
        }
        paths[path] = described;
      }
      return document.openapiObject;
    },
  };
}

/** What zod, Valibot and ArkType offer: https://standardschema.dev/json-schema */
interface StandardJsonSchema {
  readonly '~standard'?: { readonly jsonSchema?: { input(options: object): object } };
}

function plainJsonSchema(value: unknown): unknown {
  try {
    return (value as StandardJsonSchema)['~standard']?.jsonSchema?.input({ target: 'draft-2020-12' }) ?? value;
  } catch {
    return {};
  }
}

const eachPlain = (schemas: object) =>
  Object.fromEntries(Object.entries(schemas).map(([name, each]) => [name, plainJsonSchema(each)]));

/** The schemas of a route as plain JSON Schema. */
const plainSchema = (schema: FastifySchema): FastifySchema => ({
  ...eachPlain(schema),
  ...(schema.response ? { response: eachPlain(schema.response) } : {}),
});

/** `GET /openapi.json`. */
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
