import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { KnownPaths } from './known-paths.ts';

it('knows the methods of an address, with parameters as long as the server takes them', () => {
  const knownPaths = new KnownPaths(20_000);
  const server = Fastify();
  knownPaths.watch(server);
  server.get('/bean/:name', async () => '');
  server.post('/bean/:name', async () => '');
  expect(knownPaths.methodsOf('/bean/x?y')).toEqual(['GET', 'HEAD', 'POST']);
  expect(knownPaths.methodsOf(`/bean/${'x'.repeat(20_000)}`)).toEqual(['GET', 'HEAD', 'POST']);
  expect(knownPaths.methodsOf(`/bean/${'x'.repeat(20_001)}`)).toEqual([]);
});
