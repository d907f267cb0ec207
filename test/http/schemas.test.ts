import { readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';
import * as host from '@jig/application';
import { type Feature, problemResponse } from '@jig/application';
import { Validator } from '@seriousme/openapi-schema-validator';
import { transformSync } from 'esbuild';
import type { FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type RunningApplication,
  startApplication,
} from '../../packages/application/test-fixtures/running-application.ts';

const string = { type: 'string' } as const;
const order = {
  $id: 'order',
  type: 'object',
  required: ['what'],
  properties: { what: string, count: { type: 'integer', default: 1 }, parts: { type: 'array', items: { $ref: '#' } } },
};

/** Routes with a schema for each part of a request and a response. */
async function routes(server: FastifyInstance): Promise<void> {
  server.addSchema(order);
  server.addSchema({ $id: 'page', type: 'integer', minimum: 1 });
  const idParams = { type: 'object', properties: { id: { type: 'integer' } } };
  server.post(
    '/orders',
    {
      schema: {
        summary: 'Order something.',
        tags: ['orders'],
        body: { $ref: 'order#' },
        response: { '2xx': { $ref: 'order#' } },
        responses: { 409: problemResponse('Sold out.') },
      },
    },
    async (request) => ({ ...(request.body as object), secret: 'left out' }),
  );
  server.get(
    '/orders/:id',
    {
      schema: {
        params: idParams,
        querystring: { type: 'object', properties: { page: { $ref: 'page#' }, q: string } },
        headers: {
          type: 'object',
          required: ['X-Key'],
          properties: { 'X-Key': { ...string, enum: ['Yes', 'No'] } },
          dependencies: { 'X-Other': ['X-More'] },
        },
      },
    },
    async (request) => ({ params: request.params, query: request.query }),
  );
  server.get('/hidden', { schema: { hide: true } }, async () => 'hidden');
  server.get('/without', async () => 'no schema');
  server.post('/typebox', { schema: { body: Type.Object({ name: Type.String() }) } }, async () => '');
  server.register(async (scope) => {
    scope.setValidatorCompiler(validatorCompiler);
    scope.setSerializerCompiler(serializerCompiler);
    const body = z.object({ name: z.string().min(2) });
    scope.post('/zod', { schema: { body, response: { 200: z.object({ at: z.date() }) } } }, async () => ({
      at: new Date(),
    }));
  });
}

let application: RunningApplication;

beforeAll(async () => {
  application = await startApplication([{ name: 'orders', register: (host) => host.routes(routes) }]);
});

afterAll(() => application[Symbol.asyncDispose]());

const json = (method: string, body: unknown): RequestInit => ({
  method,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});
const withHeaders = (headers: Record<string, string>): RequestInit => ({ headers });

describe('a route with a schema', () => {
  it.each<[string, RequestInit, string, object]>([
    ['/orders', json('POST', { what: 'tea', parts: [{}] }), 'body', { pointer: '/parts/0' }],
    ['/orders/seven', withHeaders({ 'x-key': 'Yes' }), 'params', { pointer: '/id', message: 'must be integer' }],
    ['/orders/7?page=0', withHeaders({ 'x-key': 'Yes' }), 'querystring', { pointer: '/page' }],
    ['/orders/7', {}, 'headers', { pointer: '' }],
    ['/zod', json('POST', { name: 'A' }), 'body', { pointer: '/name' }],
  ])('lists what is wrong with %s %j', async (path, options, place, error) => {
    const { errors } = (await (await fetch(application.url + path, options)).json()) as { errors: object[] };
    expect(errors[0]).toMatchObject({ in: place, ...error });
  });
});

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Record<string, unknown> }> };
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: object }> }>;
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, object> };
}

describe('/openapi.json of routes with schemas', () => {
  let document: Document;
  beforeAll(async () => {
    document = (await (await fetch(`${application.url}/openapi.json`)).json()) as Document;
  });
  const bodyOf = (path: string, method: string) =>
    document.paths[path]?.[method]?.requestBody?.content['application/json']?.schema;

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(document as unknown as Record<string, unknown>);
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  it('has no broken references', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, each = '']) => each);
    expect(references.length).toBeGreaterThan(2);
    for (const reference of references) {
      let place: unknown = document;
      for (const step of reference.replace(/^#\//, '').split('/'))
        place = (place as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')];
      expect([reference, typeof place]).toEqual([reference, 'object']);
    }
  });

  it('describes body, responses, tags and summary, and responses without a schema', () => {
    const post = document.paths['/orders']?.post;
    expect(post).toMatchObject({ summary: 'Order something.', tags: ['orders'] });
    expect(bodyOf('/orders', 'post')).toEqual({ $ref: '#/components/schemas/order' });
    expect(Object.keys(post?.responses ?? {}).sort()).toEqual(['2XX', '409']);
    expect(document.components.schemas.order).toMatchObject({
      properties: { parts: { items: { $ref: '#/components/schemas/order' } } },
    });
  });

  it('describes schemas of TypeBox and zod, and leaves out what zod cannot describe', () => {
    expect(bodyOf('/typebox', 'post')).toMatchObject({ properties: { name: string } });
    expect(bodyOf('/zod', 'post')).toMatchObject({ properties: { name: { ...string, minLength: 2 } } });
    expect(document.paths['/zod']?.post?.responses[200]?.content?.['application/json']?.schema).toEqual({});
  });

  it('leaves out routes that are hidden or have no schema', () => {
    expect(Object.keys(document.paths)).toEqual(expect.not.arrayContaining(['/hidden', '/without']));
  });
});

describe('docs/validate-input.md', () => {
  const page = readFileSync(new URL('../../docs/validate-input.md', import.meta.url), 'utf8');

  it('has an example that answers as documented', async () => {
    const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(page) ?? [];
    const module: { exports: { orders?: Feature } } = { exports: {} };
    runInThisContext(`(require, module) => {${transformSync(code, { loader: 'ts', format: 'cjs' }).code}}`)(
      () => host,
      module,
    );
    const { orders } = module.exports;
    await using example = await startApplication(orders === undefined ? [] : [orders]);
    const [, sent = '', answered = ''] = /-d '(.*?)'.*\n {4}(\{.*\})/.exec(page) ?? [];
    const answer = await fetch(`${example.url}/orders`, json('POST', JSON.parse(sent)));
    expect(await answer.json()).toEqual(JSON.parse(answered));
    const ask = async (body: object) => {
      const { status } = await fetch(`${example.url}/orders`, json('POST', body));
      return status;
    };
    expect([await ask({ what: 'tea', count: 1 }), await ask({ what: 'coffee', count: 1 })]).toEqual([201, 409]);
  });
});
