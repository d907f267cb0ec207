import { Validator } from '@seriousme/openapi-schema-validator';
import { OpenAPIClientAxios } from 'openapi-client-axios';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningService, startService, withoutDatabase } from '../support/start-service.ts';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId: string; responses: object }>>>>;
}

let service: RunningService;
let document: Document;

beforeAll(async () => {
  service = await startService({ environment: withoutDatabase });
  document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document;
});

afterAll(() => service.stop());

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** A real address for a described path. */
const example = (path: string) =>
  path.replaceAll('{name}', 'process').replace('{library}/{version}/{file}', 'none/0.0.0/none.js');

describe('/openapi.json', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(document as unknown as Record<string, unknown>);
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  it('names every operation once', () => {
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('describes the methods that each path takes, and no others', async () => {
    for (const [path, operations] of Object.entries(document.paths)) {
      const described = Object.keys(operations).map((method) => method.toUpperCase());
      for (const method of methods) {
        const { status, headers } = await fetch(service.url + example(path), { method, redirect: 'manual' });
        if (described.includes(method)) expect([path, method, status]).not.toEqual([path, method, 405]);
        else
          expect([path, method, status, headers.get('allow')]).toEqual([
            path,
            method,
            405,
            described.sort().join(', '),
          ]);
      }
    }
  });

  it('describes the status that a plain GET of each path has', async () => {
    for (const [path, { get }] of Object.entries(document.paths)) {
      if (get === undefined) continue;
      const { status } = await fetch(service.url + example(path));
      expect(Object.keys(get.responses), path).toContain(String(status));
    }
  });

  it('describes every page that the start page links to', async () => {
    const page = await (await fetch(service.url)).text();
    const links = [...page.matchAll(/href="(\/[^"]*)"/g)].map(([, path]) => path);
    for (const path of links) expect(Object.keys(document.paths)).toContain(path);
  });

  it('makes a client that works', async () => {
    const api = new OpenAPIClientAxios({ definition: `${service.url}/openapi.json`, withServer: { url: service.url } });
    const client = await api.init();
    const { status, data } = await client.request({ url: '/health' });
    expect(status).toBe(200);
    expect(data).toMatchObject({ status: 'ok' });
    const operation = (client as unknown as Record<string, () => Promise<{ data: unknown }>>).health;
    expect((await operation?.())?.data).toMatchObject({ status: 'ok' });
  });
});
