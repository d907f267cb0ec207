import cors from '@fastify/cors';
import Fastify, { type FastifyPluginAsync } from 'fastify';
import { describe, expect, it } from 'vitest';
import { startApplication } from '../../test-fixtures/running-application.ts';
import { AllowedMethods } from './not-found.ts';

function watched() {
  const allowedMethods = new AllowedMethods(20_000);
  const server = Fastify();
  allowedMethods.watch(server);
  return { allowedMethods, server };
}

describe('the methods of an address', () => {
  it('are those of its routes, with parameters up to the length that the server accepts', () => {
    const { allowedMethods, server } = watched();
    server.get('/bean/:name', async () => '');
    server.post('/bean/:name', async () => '');
    expect(allowedMethods.methodsOf('/bean/x?y')).toEqual(['GET', 'HEAD', 'POST']);
    expect(allowedMethods.methodsOf(`/bean/${'x'.repeat(20_000)}`)).toEqual(['GET', 'HEAD', 'POST']);
    expect(allowedMethods.methodsOf(`/bean/${'x'.repeat(20_001)}`)).toEqual([]);
  });

  it('do not include those of a route for every address', () => {
    const { allowedMethods, server } = watched();
    server.get('/*', async () => '');
    server.put('*', async () => '');
    server.post('/orders', async () => '');
    expect(allowedMethods.methodsOf('/nothing')).toEqual([]);
    expect(allowedMethods.methodsOf('/orders')).toEqual(['POST']);
  });

  it('include those of a wildcard route below a prefix', () => {
    const { allowedMethods, server } = watched();
    server.get('/files/*', async () => '');
    expect(allowedMethods.methodsOf('/files/a/b')).toEqual(['GET', 'HEAD']);
    expect(allowedMethods.methodsOf('/other')).toEqual([]);
  });

  it('include OPTIONS where a plugin answers it for every address', async () => {
    const { allowedMethods, server } = watched();
    server.register(
      async (api) => {
        api.options('*', async () => '');
        api.get('/orders', async () => '');
      },
      { prefix: '/api' },
    );
    server.get('/elsewhere', async () => '');
    await server.ready();
    expect(allowedMethods.methodsOf('/api/orders')).toEqual(['GET', 'HEAD', 'OPTIONS']);
    expect(allowedMethods.methodsOf('/api/nothing')).toEqual([]);
    expect(allowedMethods.methodsOf('/elsewhere')).toEqual(['GET', 'HEAD']);
  });
});

describe('an application with @fastify/cors', () => {
  const orders: FastifyPluginAsync = async (server) => {
    await server.register(cors);
    server.get('/orders', async () => 'none');
  };
  const start = () => startApplication([{ name: 'orders', register: (host) => host.routes(orders) }]);

  it.each([
    ['POST', '/nothing', 404, null],
    ['DELETE', '/orders', 405, 'GET, HEAD, OPTIONS'],
    ['POST', '/health', 405, 'GET, HEAD, OPTIONS'],
    ['GET', '/orders', 200, null],
  ])('answers %s %s with %i and allows %j', async (method, path, status, allow) => {
    await using application = await start();
    const answer = await fetch(application.url + path, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([status, allow]);
  });

  it('answers preflights', async () => {
    await using application = await start();
    const headers = { origin: 'http://elsewhere.example', 'access-control-request-method': 'DELETE' };
    const answer = await fetch(`${application.url}/orders`, { method: 'OPTIONS', headers });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
  });
});
