import type { FastifyInstance, RouteOptions } from 'fastify';
import type { ApiOperation } from './api-operation.ts';
import { isObject, type JsonSchema, propertiesOf, type SharedSchemas, toJsonSchema } from './json-schemas.ts';

const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** A route with a schema, as it was registered. */
interface RouteWithSchema {
  readonly method: string;
  readonly url: string;
  readonly schema: JsonSchema;
  /** The instance of the plugin, which has the schemas added by `addSchema`. */
  readonly instance: FastifyInstance;
}

/** Paths to methods to operations. */
export type ApiPaths = Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;

/** Members of a route's schema that OpenAPI has too: those that `@fastify/swagger` takes, and what a route checks itself. */
const documentation =
  'tags summary description operationId deprecated security externalDocs parameters requestBody'.split(' ');

/** The statuses of a body in `response`, as OpenAPI writes them. */
const statusOf = (key: string) => key.toLowerCase().replace(/xx$/, 'XX');

/** Describes routes by their schemas. Those without one, or with `hide: true`, are left out. */
export class RouteSchemas {
  readonly #routes: RouteWithSchema[] = [];

  constructor(server: FastifyInstance) {
    const add = (instance: FastifyInstance, route: RouteOptions) => this.#add(instance, route);
    server.addHook('onRoute', function (route) {
      add(this, route);
    });
  }

  #add(instance: FastifyInstance, { method, url, schema }: RouteOptions): void {
    if (!isObject(schema) || schema.hide === true) return;
    for (const one of [method].flat()) {
      // The description of GET has that of HEAD with it.
      if (one !== 'HEAD') this.#routes.push({ method: one.toLowerCase(), url, schema, instance });
    }
  }

  /** What the schemas say; those that several routes share are added to the shared ones. */
  describe(shared: SharedSchemas, problem: object): ApiPaths {
    const paths: Record<string, Record<string, ApiOperation>> = {};
    for (const route of this.#routes) {
      const { path: said } = route.schema;
      const { path, names } = pathOf(typeof said === 'string' ? said : route.url);
      paths[path] = { ...paths[path], [route.method]: new OperationWriter(route, names, shared, problem).operation() };
    }
    return paths;
  }
}

/** A path of Fastify in terms of OpenAPI, with the names of its parameters. */
function pathOf(url: string): { readonly path: string; readonly names: readonly string[] } {
  const names: string[] = [];
  const path = url
    .replace(/:(\w+)(?:\([^)]*\))?\??/g, (_, name: string) => {
      names.push(name);
      return `{${name}}`;
    })
    .replace(/\*$/, () => {
      names.push('*');
      return '{*}';
    });
  return { path, names };
}

class OperationWriter {
  readonly #route: RouteWithSchema;
  readonly #names: readonly string[];
  readonly #shared: SharedSchemas;
  readonly #problem: object;
  readonly #known: JsonSchema;
  readonly #id: string;

  constructor(route: RouteWithSchema, names: readonly string[], shared: SharedSchemas, problem: object) {
    this.#route = route;
    this.#names = names;
    this.#shared = shared;
    this.#problem = problem;
    this.#known = route.instance.getSchemas();
    const words = `${route.method} ${route.url}`.match(/[A-Za-z\d]+/g) ?? [];
    const named = words.map((word, index) => (index === 0 ? word : word[0]?.toUpperCase() + word.slice(1))).join('');
    this.#id = typeof route.schema.operationId === 'string' ? route.schema.operationId : named;
  }

  operation(): ApiOperation {
    const { schema } = this.#route;
    const said = documentation.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]]]));
    const parameters = [
      ...this.#pathParameters(),
      ...this.#parameters('query', schema.querystring ?? schema.query),
      ...this.#parameters('header', schema.headers),
    ];
    const requestBody = this.#requestBody();
    return {
      summary: `${this.#route.method.toUpperCase()} ${this.#route.url}`,
      ...(parameters.length > 0 && { parameters }),
      ...(requestBody !== undefined && { requestBody }),
      ...Object.fromEntries(said),
      operationId: this.#id,
      responses: this.#responses(),
    };
  }

  #pathParameters(): readonly object[] {
    const described = new Map(
      propertiesOf(toJsonSchema(this.#route.schema.params, 'input') ?? {}, this.#known).map((each) => [
        each.name,
        each,
      ]),
    );
    return this.#names.map((name) => {
      const schema = described.get(name)?.schema ?? { type: 'string' };
      return { name, in: 'path', required: true, schema: this.#place(schema, name) };
    });
  }

  #parameters(place: 'query' | 'header', schema: unknown): readonly object[] {
    const plain = toJsonSchema(schema, 'input');
    if (plain === undefined) return [];
    return propertiesOf(plain, this.#known).map(({ name, schema: { description, ...rest }, isRequired }) => ({
      name,
      in: place,
      ...(isRequired && { required: true }),
      ...(typeof description === 'string' && { description }),
      schema: this.#place(rest, name),
    }));
  }

  #requestBody(): object | undefined {
    const { body, consumes } = this.#route.schema;
    const types = Array.isArray(consumes) ? consumes.map(String) : ['application/json'];
    const content = this.#content(body, types, 'input', 'Body');
    return content && { required: true, content };
  }

  /** A schema for each content type that the route names, or one for all of them. */
  #content(schema: unknown, types: readonly string[], direction: 'input' | 'output', name: string): object | undefined {
    if (isObject(schema) && isObject(schema.content)) {
      const entries = Object.entries(schema.content).map(([type, media]) => {
        const plain = toJsonSchema(isObject(media) ? media.schema : undefined, direction);
        return [type, plain === undefined ? {} : { schema: this.#place(plain, name) }];
      });
      return Object.fromEntries(entries);
    }
    const plain = toJsonSchema(schema, direction);
    if (plain === undefined || plain.type === 'null') return undefined;
    return Object.fromEntries(types.map((type) => [type, { schema: this.#place(plain, name) }]));
  }

  #responses(): Readonly<Record<string, object>> {
    const { response, responses, produces, body, querystring, query, params, headers } = this.#route.schema;
    const types = Array.isArray(produces) ? produces.map(String) : ['application/json'];
    const given = Object.entries(isObject(response) ? response : {}).map(([key, schema]) => {
      const status = statusOf(key);
      const content = this.#content(schema, types, 'output', `Response${status}`);
      const said = isObject(schema) && typeof schema.description === 'string' ? schema.description : undefined;
      return [status, { description: said ?? STATUS_CODES[status] ?? 'A response.', ...(content && { content }) }];
    });
    const isValidated = [body, querystring, query, params, headers].some((part) => part !== undefined);
    return {
      ...(given.length === 0 && responses === undefined && { 200: { description: 'OK' } }),
      ...(isValidated && { 400: this.#problem }),
      ...Object.fromEntries(given),
      ...(isObject(responses) && responses),
    };
  }

  #place(schema: JsonSchema, name: string): JsonSchema {
    return this.#shared.place(schema, `${this.#id}-${name}`, this.#known);
  }
}
