import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { useService } from '../support/in-process.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly allowEmptyValue?: boolean;
  readonly required: boolean;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const service = useService();
let document: Document;

beforeAll(async () => {
  document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document;
});

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** A real address for a described path. */
const example = (path: string, name = 'process') =>
  path.replaceAll('{name}', name).replace('{library}/{version}/{file}', 'none/0.0.0/none.js');

/** What a browser, a program, a reader of XML and one of images say they take. */
const tastes = [
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  '*/*',
  'application/xml',
  'image/png',
];

/** What makes a GET of one path or another a problem. */
const troubles: readonly { readonly query?: string; readonly name?: string; readonly headers?: object }[] = [
  { query: '?depth=0' },
  { query: '?at=/nothing' },
  { name: 'nothing' },
  { headers: { 'sec-fetch-site': 'cross-site' } },
  { headers: { 'accept-encoding': 'identity;q=0, *;q=0' } },
];

/** Fails unless the answer has a status and a media type that are described. */
function expectDescribed(what: unknown, operation: Operation | undefined, { status, headers }: Response): void {
  const described = operation?.responses[status];
  expect([what, status, described]).toEqual([what, status, expect.anything()]);
  const [type] = headers.get('content-type')?.split(';') ?? [];
  const types = Object.keys(described?.content ?? {});
  if (type === undefined || types.includes('*/*')) return;
  expect([what, status, types]).toEqual([what, status, expect.arrayContaining([type])]);
}

describe('/openapi.json', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(document as unknown as Record<string, unknown>);
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  it('describes exactly the methods that each path allows', async () => {
    for (const [path, operations] of Object.entries(document.paths)) {
      const named = Object.keys(operations).map((method) => method.toUpperCase());
      const described = named.includes('GET') ? [...named, 'HEAD'] : named;
      for (const method of methods) {
        const { status, headers } = await fetch(service.url + example(path), { method, redirect: 'manual' });
        // There is no document without a form: docs/specification.md asks for 404.
        const isMissing = path === '/jig/bean/{name}' && (method === 'GET' || method === 'HEAD');
        if (isMissing) expect([path, method, status]).toEqual([path, method, 404]);
        else if (described.includes(method)) expect([path, method, status]).not.toEqual([path, method, 405]);
        else {
          // A browser is led to the page.
          const allowed = path === '/jig/bean/{name}' ? ['GET', 'HEAD', ...described] : described;
          const allow = headers.get('allow');
          expect([path, method, status, allow]).toEqual([path, method, 405, allowed.sort().join(', ')]);
        }
      }
    }
  });

  it('describes the media type of every problem, for every Accept', async () => {
    for (const [path, { get }] of Object.entries(document.paths)) {
      // One that takes only POST, such as the endpoint for agents.
      if (get === undefined) continue;
      for (const { query = '', name, headers } of troubles) {
        for (const accept of tastes) {
          const address = `${example(path, name)}${query}`;
          const answer = await fetch(service.url + address, { headers: { accept, ...headers } });
          expectDescribed([address, headers, accept], get, answer);
        }
      }
    }
  });

  it('says for every query parameter whether it can be empty', async () => {
    for (const [path, { get }] of Object.entries(document.paths)) {
      // Without it, there is nothing to answer.
      if (get?.parameters?.some((each) => each.in === 'query' && each.required)) continue;
      for (const { name, allowEmptyValue = false } of get?.parameters?.filter((each) => each.in === 'query') ?? []) {
        for (const query of [name, `${name}=`]) {
          const { status } = await fetch(`${service.url}${example(path)}?${query}`);
          expect([path, query, status]).toEqual([path, query, allowEmptyValue ? 200 : 400]);
        }
      }
    }
  });
});
