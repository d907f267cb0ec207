import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { describe, expect, it } from 'vitest';
import { startApplication } from '../../packages/application/test-fixtures/running-application.ts';

const start = (routes: (server: FastifyInstance) => Promise<void>, flags: readonly string[] = []) =>
  startApplication([{ name: 'own', register: (host) => host.routes(routes) }], flags);

const textOf = async (url: string, options?: RequestInit) => {
  const answer = await fetch(url, options);
  return [answer.status, await answer.text()];
};
const pathsOf = async (url: string) =>
  Object.keys(((await (await fetch(`${url}/openapi.json`)).json()) as { paths: object }).paths);

const files = new URL('../all/plugins/files/', import.meta.url).pathname;

describe('a feature', () => {
  it('may have its own /, which is then not described as the start page in /openapi.json', async () => {
    await using application = await start(async (server) => void server.get('/', async () => 'mine'));
    expect(await textOf(application.url)).toEqual([200, 'mine']);
    expect(await pathsOf(application.url)).not.toContain('/');
  });

  it('may be a single-page application at /, with @fastify/static and a fallback for its own addresses', async () => {
    await using application = await start(
      fastifyPlugin(async (server) => {
        await server.register(fastifyStatic, { root: files });
        server.get('/api/orders', async () => []);
        server.setNotFoundHandler((request, reply) =>
          request.url.startsWith('/api/')
            ? reply.code(404).send({ message: 'no such order' })
            : reply.sendFile('index.html'),
        );
      }),
    );
    const index = '<!DOCTYPE html><title>Files</title>\n';
    expect(await textOf(application.url)).toEqual([200, index]);
    expect(await textOf(`${application.url}/orders/7`)).toEqual([200, index]);
    expect(await textOf(`${application.url}/style.css`)).toEqual([200, 'p {\n  color: green;\n}\n']);
    expect(await textOf(`${application.url}/api/orders`)).toEqual([200, '[]']);
    expect(await textOf(`${application.url}/api/none`)).toEqual([404, '{"message":"no such order"}']);
    expect(await textOf(`${application.url}/health/live`)).toEqual([200, '{"status":"ok"}']);
    expect((await fetch(`${application.url}/openapi.json`)).status).toBe(200);
  });

  it('may have its own error handler, and a second one for some of its routes', async () => {
    await using application = await start(async (server) => {
      server.setErrorHandler((error: Error, _request, reply) => reply.code(418).send({ outer: error.message }));
      const fail = async () => {
        throw new Error('no luck');
      };
      server.get('/outer', fail);
      server.register(async (scope) => {
        scope.setErrorHandler((error: Error) => {
          throw new Error(`${error.message} at all`);
        });
        scope.get('/inner', fail);
      });
    });
    expect(await textOf(`${application.url}/outer`)).toEqual([418, '{"outer":"no luck"}']);
    expect(await textOf(`${application.url}/inner`)).toEqual([418, '{"outer":"no luck at all"}']);
    expect((await fetch(`${application.url}/nothing`)).headers.get('content-type')).toBe('application/problem+json');
  });

  it('may have its own /health and /openapi.json', async () => {
    await using application = await start(async (server) => {
      server.get('/health', async () => 'well');
      server.get('/openapi.json', async () => ({ mine: true }));
    });
    expect(await textOf(`${application.url}/health`)).toEqual([200, 'well']);
    expect(await textOf(`${application.url}/openapi.json`)).toEqual([200, '{"mine":true}']);
    expect(await textOf(`${application.url}/health/live`)).toEqual([200, '{"status":"ok"}']);
  });
});

it('HOST=localhost listens on one address, with the handlers of the host', async () => {
  await using application = await start(async () => {}, ['--server.host=localhost']);
  expect(new URL(application.url).hostname).toMatch(/^(?:127\.0\.0\.1|\[::1\])$/);
  const { port } = new URL(application.url);
  await expect(fetch(`http://[::1]:${port}/health/live`)).rejects.toThrow();
});
